import { expect, it } from 'vitest';
import { diffPlans } from '../../../domain/playbook/plan-diff.js';
import { Plan } from '../../../domain/playbook/playbook.js';

const ask = (id: string, points: number) => ({
  do: 'ask',
  id,
  why: 'The reputation decides.',
  skill: 'threatIntelligence.getEnrichment',
  each: { of: 'entity', kind: 'ip' },
  input: { value: { take: 'item' } },
  proves: [{ when: [{ path: 'score', is: 'at-least', value: 65 }], points, says: 'Malicious reputation' }],
  shows: [],
});
const plan = (...steps: unknown[]) => Plan.parse({ steps });
const find = { do: 'extract-indicators', why: 'First.', of: ['ip'] };

it('finds nothing between equal plans', () => {
  expect(diffPlans(plan(find, ask('one', 40)), plan(find, ask('one', 40)))).toEqual([]);
});

it('names the changed fields with both values', () => {
  expect(diffPlans(plan(find, ask('one', 40)), plan({ ...find, of: ['ip', 'host'] }, ask('one', 45)))).toEqual([
    { stepId: 'extract-indicators', kind: 'changed', fields: [{ field: 'of[1]', before: null, after: 'host' }] },
    { stepId: 'one', kind: 'changed', fields: [{ field: 'proves[0].points', before: '40', after: '45' }] },
  ]);
});

it('finds added, removed and moved steps', () => {
  const before = plan(find, ask('one', 40), ask('two', 40), ask('three', 40));
  expect(diffPlans(before, plan(find, ask('two', 40), ask('one', 40), ask('four', 40)))).toEqual([
    { stepId: 'two', kind: 'moved', fields: [] },
    { stepId: 'one', kind: 'moved', fields: [] },
    { stepId: 'four', kind: 'added', fields: [] },
    { stepId: 'three', kind: 'removed', fields: [] },
  ]);
});
