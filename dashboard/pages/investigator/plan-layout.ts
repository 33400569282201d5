import type { Plan, PlanStep } from '../../../domain/playbook/playbook.js';
import { openEnds, type Placed } from './graph-layout.js';

export interface PlacedStep extends Placed {
  readonly step: PlanStep;
}

/** Only questions and proposals have ids of their own; of the others a plan has one each. */
function nodeId(step: PlanStep): string {
  return step.do === 'ask' || step.do === 'propose' ? step.id : step.do;
}

/**
 * What depends on what, in columns: a step stands to the right of everything it needs. Proposals follow all questions, because
 * the evidence so far decides whether they are made; the verdict follows everything.
 */
export function placePlan({ steps }: Plan): PlacedStep[] {
  const finds = steps.some((step) => step.do === 'extract-indicators') ? ['extract-indicators'] : [];
  const columns = new Map<string, number>();
  const last = () => Math.max(0, ...columns.values());
  const placed = steps
    .filter((step) => step.do !== 'summarise')
    .map((step) => {
      const after = step.do === 'extract-indicators' ? [] : listNeeds(step, finds);
      const behindAll = step.do === 'propose' ? lastQuestion(columns, steps) : 0;
      const column = Math.max(behindAll, ...after.map((id) => columns.get(id) ?? 0)) + (after.length > 0 || behindAll > 0 ? 1 : 0);
      columns.set(nodeId(step), column);
      return { id: nodeId(step), step, column, after, isEnd: false };
    });
  const ends = steps
    .filter((step) => step.do === 'summarise')
    .map((step) => ({ id: nodeId(step), step, column: last() + 1, after: openEnds(placed), isEnd: true }));
  return [...placed, ...ends];
}

function listNeeds(step: PlanStep, finds: readonly string[]): readonly string[] {
  if ((step.do === 'ask' || step.do === 'propose') && step.each.of === 'answer') return [step.each.step];
  return finds;
}

function lastQuestion(columns: ReadonlyMap<string, number>, steps: readonly PlanStep[]): number {
  return Math.max(0, ...steps.filter((step) => step.do !== 'propose').map((step) => columns.get(nodeId(step)) ?? 0));
}
