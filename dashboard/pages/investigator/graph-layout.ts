/** A step with its column: to the right of the steps it depends on. */
export interface Placed {
  readonly id: string;
  readonly column: number;
  /** The steps it depends on. */
  readonly after: readonly string[];
  /** The last step, which depends on all others. */
  readonly isEnd: boolean;
}

/** Places each step near its dependencies, in a row where no line crosses another step. */
export function assignRows<Step extends Placed>(steps: readonly Step[]): (Step & { readonly row: number })[] {
  const rows = new Map<string, number>();
  const preferredRow = ({ isEnd, after }: Placed) =>
    isEnd ? 0 : after.reduce((sum, id) => sum + (rows.get(id) ?? 0), 0) / Math.max(1, after.length);
  const columnBefore = ({ after }: Placed) => Math.max(0, ...steps.filter(({ id }) => after.includes(id)).map(({ column }) => column));
  const isCrossed = (row: number, step: Placed) =>
    steps.some(({ id, column }) => rows.get(id) === row && column < step.column && column > columnBefore(step));
  const columns = [...new Set(steps.map(({ column }) => column))].sort((one, other) => one - other);
  return columns.flatMap((column) => {
    let free = 0;
    return steps
      .filter((step) => step.column === column)
      .toSorted((one, other) => preferredRow(one) - preferredRow(other))
      .map((step) => {
        let row = Math.max(free, Math.floor(preferredRow(step)));
        if (!step.isEnd) while (isCrossed(row, step)) row += 1;
        free = row + 1;
        rows.set(step.id, row);
        return { ...step, row };
      });
  });
}

/** The steps that no other step depends on. */
export function findLeaves(steps: readonly Pick<Placed, 'id' | 'after'>[]): string[] {
  const required = new Set(steps.flatMap(({ after }) => after));
  return steps.filter(({ id }) => !required.has(id)).map(({ id }) => id);
}
