import type { EntityKind } from '../entity/entity.js';
import type { Plan, PlanStep } from './playbook.js';

type Asking = Extract<PlanStep, { do: 'ask' | 'propose' }>;

/**
 * A plan without the steps that have nothing to ask about: the alert has no entity of their kind, or the step whose answer they need
 * has nothing to ask or no connection. A run of the result is the same, and its history is a fraction of the size.
 */
export function prunePlan(plan: Plan, kinds: ReadonlySet<EntityKind>, isConnected: (skill: string) => boolean): Plan {
  const answering = new Set<string>();
  const steps = plan.steps.filter((step) => {
    if (step.do !== 'ask' && step.do !== 'propose') return true;
    const isAsked = hasSubject(step, kinds, answering);
    if (isAsked && step.do === 'ask' && isConnected(step.skill)) answering.add(step.id);
    return isAsked;
  });
  return { ...plan, steps };
}

function hasSubject({ each }: Asking, kinds: ReadonlySet<EntityKind>, answering: ReadonlySet<string>): boolean {
  return each.of === 'entity' ? kinds.has(each.kind) : answering.has(each.step);
}
