import { describe, expect, it } from 'vitest';
import type { ConditionFacts } from '../../../domain/playbook/conditions.js';
import type { Proof } from '../../../domain/playbook/playbook.js';
import { keyOfTake, readAnswer } from '../../../domain/playbook/read-answer.js';

const alert: ConditionFacts = { places: [], at: 0, text: '', entities: [] };
const proof = (given: Partial<Proof> & Pick<Proof, 'when'>): Proof => ({ points: 10, says: 'Found', techniques: [], ...given });
const items = Array.from({ length: 50 }, (_, index) => ({ id: `e-${index}`, kind: index === 19 ? 'bad' : 'good', time: 1000 + index }));

describe('the facts of an answer', () => {
  it('include the place of the proof and the time of its item, wherever the item is in the list', () => {
    const never = proof({ when: [{ path: 'items[].kind', is: 'equals', value: 'worse' }] });
    const bad = proof({ inOne: 'items[]', when: [{ path: 'kind', is: 'equals', value: 'bad' }], at: 'time' });
    expect(readAnswer({ proves: [never, bad] }, { items }, alert).proof).toEqual({ index: 1, at: 1019 });
    expect(readAnswer({ proves: [never] }, { items }, alert).proof).toBeNull();
  });

  it('include the values of the answers, or of the items of a list, that meet the conditions', () => {
    const all = { path: 'items[].kind' };
    const bad = { inOne: 'items[]', path: 'id', when: [{ path: 'kind', is: 'equals', value: 'bad' }] } as const;
    const none = { path: 'items[].id', when: [{ path: 'items[].kind', is: 'equals', value: 'worse' }] } as const;
    const { taken } = readAnswer({ takes: [all, bad, none] }, { items }, alert);
    expect([all, bad, none].map((take) => taken[keyOfTake(take)])).toEqual([['good', 'bad'], ['e-19'], []]);
  });

  it('are bounded', () => {
    const long = { items: Array.from({ length: 5000 }, (_, index) => ({ id: `${index} ${'x'.repeat(100)}` })) };
    const facts = readAnswer({ shows: ['items[].id'], takes: [{ path: 'items[].id' }] }, long, alert);
    expect(facts.shown).toMatch(/^id: 0 x+, 1 x/);
    expect(JSON.stringify(facts).length).toBeLessThan(40_000);
  });

  const nothing = proof({ when: [{ path: 'items[].id', is: 'absent' }] });
  const complete = proof({ when: [{ path: 'cut', is: 'absent' }] });
  it.each([
    ['a complete list', { items: [], cut: null }, null, true],
    ['a list that the third party did not end', { items: [], cut: 'There are more.' }, null, false],
    ['a question that left something out', { items: [], cut: null }, 'Only the first.', false],
  ])('prove absence by %s: %s', (_name, answer, cut, expected) => {
    for (const absent of [nothing, complete]) expect(readAnswer({ proves: [absent], cut }, answer, alert).proof !== null).toBe(expected);
  });

  it('prove the absence of a value outside of the list, or in one of its items', () => {
    const answer = { items: [{ id: 'a' }], cut: 'There are more.', score: null };
    const absent = proof({ when: [{ path: 'score', is: 'absent' }] });
    const inOne = proof({ inOne: 'items[]', when: [{ path: 'names[]', is: 'absent' }] });
    for (const each of [absent, inOne]) expect(readAnswer({ proves: [each] }, answer, alert).proof).not.toBeNull();
  });
});
