import { expect, it } from 'vitest';
import { catalogue } from '../../../connectors/catalogue.js';
import { plannableSkills } from '../../../connectors/kit/define.js';
import type { EntityKind } from '../../../domain/entity/entity.js';
import { planFor } from '../../../domain/playbook/planner.js';
import type { PlanStep } from '../../../domain/playbook/playbook.js';
import { prunePlan } from '../../../domain/playbook/prune-plan.js';

const whole = planFor('Odd thing', plannableSkills(catalogue));
const asking = (steps: readonly PlanStep[]) => steps.filter((step) => step.do === 'ask' || step.do === 'propose');
const prune = (kinds: EntityKind[], isConnected = (_: string) => true) => prunePlan(whole, new Set(kinds), isConnected);

it('keeps every step that an alert with these entities can reach, in order', () => {
  const pruned = prune(['ip']);
  expect(whole.steps.filter((step) => pruned.steps.includes(step))).toEqual(pruned.steps);
  // Follows each step back to the entity that it starts from.
  const startsAt = (step: PlanStep): EntityKind | null => {
    if (step.do !== 'ask' && step.do !== 'propose') return null;
    const { each } = step;
    if (each.of === 'entity') return each.kind;
    return startsAt(whole.steps.find((other) => other.do === 'ask' && other.id === each.step) ?? expect.fail(each.step));
  };
  expect(asking(pruned.steps)).toEqual(asking(whole.steps).filter((step) => startsAt(step) === 'ip'));
  expect(asking(pruned.steps).some((step) => step.each.of === 'answer')).toBe(true);
});

it('keeps the steps that are no questions', () => {
  expect(prune([]).steps.map((step) => step.do)).toEqual(['extract-indicators', 'search-records', 'correlate', 'summarise']);
});

it('keeps the first questions of a third party that is not connected, so that the case names it, and nothing that needs its answers', () => {
  const pruned = asking(prune(['ip', 'host', 'user'], () => false).steps);
  expect(pruned.filter((step) => step.do === 'ask').length).toBeGreaterThan(5);
  expect(pruned.every((step) => step.each.of === 'entity')).toBe(true);
});

it('is small enough for the history of every run', () => {
  const size = (plan: object) => JSON.stringify(plan).length;
  expect(size(prune(['ip', 'host', 'user'], () => false))).toBeLessThan(size(whole) / 8);
});
