import { describe, expect, it } from 'vitest';
import { type RunCall, stepsAsRun } from '../../../domain/investigation/run-steps.js';
import { SkillKey } from '../../../domain/skill-key.js';

const answered = (skillId: string, beganMs: number, tookMs: number): RunCall => ({
  connector: 'c',
  skillKey: SkillKey.parse(skillId),
  skillId,
  isOpen: false,
  beganMs,
  tookMs,
});
const open = (skillId: string): RunCall => ({
  connector: 'c',
  skillKey: SkillKey.parse(skillId),
  skillId,
  isOpen: true,
  beganMs: null,
  tookMs: null,
});
const untimed = (skillId: string): RunCall => ({ ...open(skillId), isOpen: false });
const steps = (...runs: RunCall[][]) => stepsAsRun(runs, (skillKey) => skillKey.startsWith('write'));
const order = (...runs: RunCall[][]) => steps(...runs).map(({ skill_id, after }) => [skill_id, after]);

describe('the order of steps', () => {
  it('puts a step after the nearest steps whose first answer came before it began', () => {
    expect(order([answered('one', 0, 10), answered('two', 20, 10), answered('side', 1, 50), answered('three', 60, 5)])).toEqual([
      ['one', []],
      ['side', []],
      ['two', ['c/one']],
      ['three', ['c/side', 'c/two']],
    ]);
  });

  it('applies only when it holds in every investigation with both steps', () => {
    const sequential = [answered('one', 0, 10), answered('two', 20, 10)];
    expect(order(sequential, [answered('one', 500, 10)])).toContainEqual(['two', ['c/one']]);
    expect(order(sequential, [answered('one', 500, 10), answered('two', 501, 10)])).toContainEqual(['two', []]);
  });

  it('uses the first of several answers', () => {
    expect(order([answered('one', 0, 10), answered('one', 2, 90), answered('two', 20, 5), answered('two', 95, 5)])).toContainEqual([
      'two',
      ['c/one'],
    ]);
  });

  it('has no cycle when steps change their order', () => {
    const rotated = [
      [answered('a', 0, 1), answered('b', 5, 1)],
      [answered('b', 0, 1), answered('c', 5, 1)],
      [answered('c', 0, 1), answered('a', 5, 1)],
    ];
    const before = new Map<string, readonly string[]>(steps(...rotated).map((step) => [step.step_id, step.after]));
    const leadsTo = (from: string, to: string): boolean => (before.get(from) ?? []).some((id) => id === to || leadsTo(id, to));
    expect([...before.keys()].filter((id) => leadsTo(id, id))).toEqual([]);
    expect([...before.values()].flat()).toHaveLength(2);
  });

  it('ignores calls without an answer and answers of an earlier investigation', () => {
    expect(order([open('never'), untimed('reused'), answered('one', 7, 1)])).toEqual([
      ['never', []],
      ['reused', []],
      ['one', []],
    ]);
  });
});

it('counts calls under an earlier title of the skill, and shows the newest title', () => {
  const renamed = { ...answered('one', 0, 10), skillId: 'first title' };
  expect(steps([answered('one', 0, 10), answered('two', 20, 10)], [renamed])).toMatchObject([
    { step_id: 'c/one', skill_id: 'one', skill_key: 'one', investigations: 2, times: 2 },
    { step_id: 'c/two', after: ['c/one'] },
  ]);
});

describe('a step', () => {
  it('has its number of calls, unanswered calls and typical duration', () => {
    const [one] = steps([answered('one', 0, 10), answered('one', 0, 40)], [answered('one', 0, 20), open('one')], [open('one')], []);
    expect(one).toEqual({
      step_id: 'c/one',
      connector: 'c',
      skill_id: 'one',
      skill_key: 'one',
      does: 'ask',
      investigations: 3,
      times: 3,
      unanswered: 2,
      typical_ms: 20,
      typical_start_ms: 0,
      after: [],
    });
    expect(steps([answered('one', 0, 10), answered('one', 0, 40)])).toMatchObject([{ typical_ms: 25 }]);
  });

  it('is a proposal when its skill writes, and comes last when its time is unknown', () => {
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

  it('does not exist without calls', () => {
    expect(steps([], [])).toEqual([]);
    expect(steps()).toEqual([]);
  });
});
