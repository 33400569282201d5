import { describe, expect, it } from 'vitest';
import { type RunCall, stepsAsRun } from '../../../domain/investigation/run-steps.js';

const answered = (skillId: string, beganMs: number, tookMs: number): RunCall => ({
  connector: 'c',
  skillId,
  isOpen: false,
  beganMs,
  tookMs,
});
const open = (skillId: string): RunCall => ({ connector: 'c', skillId, isOpen: true, beganMs: null, tookMs: null });
const untimed = (skillId: string): RunCall => ({ ...open(skillId), isOpen: false });
const steps = (...runs: RunCall[][]) => stepsAsRun(runs, ({ skillId }) => skillId.startsWith('write'));
const order = (...runs: RunCall[][]) => steps(...runs).map(({ skill_id, after }) => [skill_id, after]);

describe('what followed what', () => {
  it('is what began after the first answer of another, the nearest only', () => {
    expect(order([answered('one', 0, 10), answered('two', 20, 10), answered('side', 1, 50), answered('three', 60, 5)])).toEqual([
      ['one', []],
      ['side', []],
      ['two', ['c/one']],
      ['three', ['c/side', 'c/two']],
    ]);
  });

  it('has to hold in every investigation that took both', () => {
    const inTurn = [answered('one', 0, 10), answered('two', 20, 10)];
    expect(order(inTurn, [answered('one', 500, 10)])).toContainEqual(['two', ['c/one']]);
    expect(order(inTurn, [answered('one', 500, 10), answered('two', 501, 10)])).toContainEqual(['two', []]);
  });

  it('is told by the first of several answers', () => {
    expect(order([answered('one', 0, 10), answered('one', 2, 90), answered('two', 20, 5), answered('two', 95, 5)])).toContainEqual([
      'two',
      ['c/one'],
    ]);
  });

  it('makes no circle of steps that changed places', () => {
    const turns = [
      [answered('a', 0, 1), answered('b', 5, 1)],
      [answered('b', 0, 1), answered('c', 5, 1)],
      [answered('c', 0, 1), answered('a', 5, 1)],
    ];
    const before = new Map<string, readonly string[]>(steps(...turns).map((step) => [step.step_id, step.after]));
    const leadsTo = (from: string, to: string): boolean => (before.get(from) ?? []).some((id) => id === to || leadsTo(id, to));
    expect([...before.keys()].filter((id) => leadsTo(id, id))).toEqual([]);
    expect([...before.values()].flat()).toHaveLength(2);
  });

  it('is not told by a question that was never answered, nor by an earlier investigation’s answer', () => {
    expect(order([open('never'), untimed('reused'), answered('one', 7, 1)])).toEqual([
      ['never', []],
      ['reused', []],
      ['one', []],
    ]);
  });
});

describe('a step', () => {
  it('says how often it was taken, left open, and how long it took', () => {
    const [one] = steps([answered('one', 0, 10), answered('one', 0, 40)], [answered('one', 0, 20), open('one')], [open('one')], []);
    expect(one).toEqual({
      step_id: 'c/one',
      connector: 'c',
      skill_id: 'one',
      does: 'ask',
      investigations: 3,
      times: 3,
      unanswered: 2,
      typical_ms: 20,
      after: [],
    });
    expect(steps([answered('one', 0, 10), answered('one', 0, 40)])).toMatchObject([{ typical_ms: 25 }]);
  });

  it('that is a write was proposed; of unknown time it stands last', () => {
    const proposed = { ...untimed('write it'), beganMs: 30 };
    expect(steps([answered('one', 0, 10), proposed])).toMatchObject([
      { skill_id: 'one', does: 'ask' },
      { skill_id: 'write it', does: 'propose', times: 1, typical_ms: null, after: ['c/one'] },
    ]);
    expect(order([untimed('write it'), answered('one', 0, 10)])).toEqual([
      ['one', []],
      ['write it', []],
    ]);
  });

  it('is none where nothing was asked', () => {
    expect(steps([], [])).toEqual([]);
    expect(steps()).toEqual([]);
  });
});
