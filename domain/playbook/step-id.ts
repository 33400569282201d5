import type { AskStep, PlanStep, ProposeStep } from './playbook.js';

/** Only questions and proposals have an id; a plan has at most one of each other step. */
export function isRepeatable(step: PlanStep): step is AskStep | ProposeStep {
  return step.do === 'ask' || step.do === 'propose';
}

export function planStepId(step: PlanStep): string {
  return isRepeatable(step) ? step.id : step.do;
}

/** The id of a copy of a step: the first of `id-2`, `id-3` and so on that is not taken. */
export function findFreeStepId(id: string, taken: ReadonlySet<string>): string {
  let number = 2;
  while (taken.has(`${id}-${number}`)) number += 1;
  return `${id}-${number}`;
}
