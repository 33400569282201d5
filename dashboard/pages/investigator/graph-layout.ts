/** A step that knows its column: to the right of everything it needs. */
export interface Placed {
  readonly id: string;
  readonly column: number;
  /** The steps without which it does not begin. */
  readonly after: readonly string[];
  /** Everything leads to it. */
  readonly isEnd: boolean;
}

/** Each beside what it needs, as far as there is room and no line would run through another step. */
export function inRows<Step extends Placed>(steps: readonly Step[]): (Step & { readonly row: number })[] {
  const rows = new Map<string, number>();
  const wished = ({ isEnd, after }: Placed) =>
    isEnd ? 0 : after.reduce((sum, id) => sum + (rows.get(id) ?? 0), 0) / Math.max(1, after.length);
  const columnBefore = ({ after }: Placed) => Math.max(0, ...steps.filter(({ id }) => after.includes(id)).map(({ column }) => column));
  const isCrossed = (row: number, step: Placed) =>
    steps.some(({ id, column }) => rows.get(id) === row && column < step.column && column > columnBefore(step));
  const columns = [...new Set(steps.map(({ column }) => column))].sort((one, other) => one - other);
  return columns.flatMap((column) => {
    let free = 0;
    return steps
      .filter((step) => step.column === column)
      .toSorted((one, other) => wished(one) - wished(other))
      .map((step) => {
        let row = Math.max(free, Math.floor(wished(step)));
        if (!step.isEnd) while (isCrossed(row, step)) row += 1;
        free = row + 1;
        rows.set(step.id, row);
        return { ...step, row };
      });
  });
}

/** What no other step needs: the last ones before the end. */
export function openEnds(steps: readonly Pick<Placed, 'id' | 'after'>[]): string[] {
  const needed = new Set(steps.flatMap(({ after }) => after));
  return steps.filter(({ id }) => !needed.has(id)).map(({ id }) => id);
}
