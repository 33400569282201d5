import type { Plan, PlanStep } from '../../../domain/playbook/playbook.js';
import { findLeaves, type Placed } from './graph-layout.js';

export interface PlacedStep extends Placed {
  readonly step: PlanStep;
}

/** Only questions and proposals have an id; a plan has at most one of each other step. */
function getNodeId(step: PlanStep): string {
  return step.do === 'ask' || step.do === 'propose' ? step.id : step.do;
}

/** Places each step to the right of its dependencies: proposals after all questions, the verdict last. */
export function placePlan({ steps }: Plan): PlacedStep[] {
  const finds = steps.some((step) => step.do === 'extract-indicators') ? ['extract-indicators'] : [];
  const columns = new Map<string, number>();
  const last = () => Math.max(0, ...columns.values());
  const placed = steps
    .filter((step) => step.do !== 'summarise')
    .map((step) => {
      const after = step.do === 'extract-indicators' ? [] : listDependencies(step, finds);
      const behindAll = step.do === 'propose' ? findLastQuestion(columns, steps) : 0;
      const column = Math.max(behindAll, ...after.map((id) => columns.get(id) ?? 0)) + (after.length > 0 || behindAll > 0 ? 1 : 0);
      columns.set(getNodeId(step), column);
      return { id: getNodeId(step), step, column, after, isEnd: false };
    });
  const ends = steps
    .filter((step) => step.do === 'summarise')
    .map((step) => ({ id: getNodeId(step), step, column: last() + 1, after: findLeaves(placed), isEnd: true }));
  return [...placed, ...ends];
}

function listDependencies(step: PlanStep, finds: readonly string[]): readonly string[] {
  if ((step.do === 'ask' || step.do === 'propose') && step.each.of === 'answer') return [step.each.step];
  return finds;
}

function findLastQuestion(columns: ReadonlyMap<string, number>, steps: readonly PlanStep[]): number {
  return Math.max(0, ...steps.filter((step) => step.do !== 'propose').map((step) => columns.get(getNodeId(step)) ?? 0));
}
