import type { Plan, PlanStep } from '../../../domain/playbook.js';

export interface GraphNode {
  readonly id: string;
  readonly step: PlanStep;
  readonly column: number;
  readonly row: number;
  /** The steps without which it cannot begin. */
  readonly after: readonly string[];
}

/** Only questions and proposals have ids of their own; of the others a plan has one each. */
function idOf(step: PlanStep): string {
  return step.do === 'ask' || step.do === 'propose' ? step.id : step.do;
}

/**
 * What depends on what, in columns: a step stands to the right of everything it needs. Proposals follow all questions, because
 * the evidence so far decides whether they are made; the verdict follows everything.
 */
export function layoutOf({ steps }: Plan): GraphNode[] {
  const finds = steps.some((step) => step.do === 'extract-indicators') ? ['extract-indicators'] : [];
  const columns = new Map<string, number>();
  const last = () => Math.max(0, ...columns.values());
  const placed = steps
    .filter((step) => step.do !== 'summarise')
    .map((step) => {
      const after = step.do === 'extract-indicators' ? [] : needsOf(step, finds);
      const behindAll = step.do === 'propose' ? lastQuestion(columns, steps) : 0;
      const column = Math.max(behindAll, ...after.map((id) => columns.get(id) ?? 0)) + (after.length > 0 || behindAll > 0 ? 1 : 0);
      columns.set(idOf(step), column);
      return { id: idOf(step), step, column, after };
    });
  const needed = new Set(placed.flatMap(({ after }) => after));
  const open = placed.filter(({ id }) => !needed.has(id)).map(({ id }) => id);
  const ends = steps.filter((step) => step.do === 'summarise').map((step) => ({ id: idOf(step), step, column: last() + 1, after: open }));
  return inRows([...placed, ...ends]);
}

function needsOf(step: PlanStep, finds: readonly string[]): readonly string[] {
  if ((step.do === 'ask' || step.do === 'propose') && step.each.of === 'answer') return [step.each.step];
  return finds;
}

function lastQuestion(columns: ReadonlyMap<string, number>, steps: readonly PlanStep[]): number {
  return Math.max(0, ...steps.filter((step) => step.do !== 'propose').map((step) => columns.get(idOf(step)) ?? 0));
}

type Placed = Omit<GraphNode, 'row'>;

/** Each beside what it needs, as far as there is room and no line would run through another step. */
function inRows(nodes: readonly Placed[]): GraphNode[] {
  const rows = new Map<string, number>();
  const wished = ({ step, after }: Placed) =>
    step.do === 'summarise' ? 0 : after.reduce((sum, id) => sum + (rows.get(id) ?? 0), 0) / Math.max(1, after.length);
  const columnBefore = ({ after }: Placed) => Math.max(0, ...nodes.filter(({ id }) => after.includes(id)).map(({ column }) => column));
  const isCrossed = (row: number, node: Placed) =>
    nodes.some(({ id, column }) => rows.get(id) === row && column < node.column && column > columnBefore(node));
  const columns = [...new Set(nodes.map(({ column }) => column))].sort((one, other) => one - other);
  return columns.flatMap((column) => {
    let free = 0;
    return nodes
      .filter((node) => node.column === column)
      .toSorted((one, other) => wished(one) - wished(other))
      .map((node) => {
        let row = Math.max(free, Math.floor(wished(node)));
        if (node.step.do !== 'summarise') while (isCrossed(row, node)) row += 1;
        free = row + 1;
        rows.set(node.id, row);
        return { ...node, row };
      });
  });
}
