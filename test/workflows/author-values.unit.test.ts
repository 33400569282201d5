import { describe, expect, it } from 'vitest';
import { checkCall, checkProposeOptions, withCheckedValues } from '../../workflows/lib/author-values.js';
import { EvidenceRecorder } from '../../workflows/lib/evidence-log.js';
import { describeError } from '../../workflows/lib/mistake.js';

type Finding = Parameters<EvidenceRecorder['finding']>;

/** What a cast in the code of an author can hide. */
function add(points: unknown, title: unknown = 'Title', reason: unknown = 'Reason', options: unknown = {}): EvidenceRecorder {
  const evidence = new EvidenceRecorder();
  evidence.finding(points as Finding[0], title as Finding[1], reason as Finding[2], options as Finding[3]);
  return evidence;
}

describe('evidence refuses', () => {
  it.each([
    ['NaN', () => add(Number.NaN), 'evidence.finding: points must be a finite number, not NaN.'],
    ['infinite points', () => add(Number.POSITIVE_INFINITY), 'evidence.finding: points must be a finite number, not Infinity.'],
    ['points as text', () => add('40'), 'evidence.finding: points must be a finite number, not "40".'],
    [
      'no title',
      () => add(1, undefined, undefined, {}).note('', 'Reason'),
      'evidence.note: title must be a text that is not empty, not "".',
    ],
    ['a title that is no text', () => add(1, ['a']), 'evidence.finding: title must be a text that is not empty, not a list.'],
    ['no reason', () => add(1, 'Title', null), 'evidence.finding: reason must be a text, not null.'],
    ['options that are none', () => add(1, 'Title', 'Reason', 'T1078'), 'evidence.finding: options must be an object, not "T1078".'],
    ['an empty step', () => add(1, 'Title', 'Reason', { step: ' ' }), 'evidence.finding: step must be a text that is not empty, not " ".'],
    ['a source without a skill', () => add(1, 'Title', 'Reason', { source: { connector: 'x' } }), 'evidence.finding: source must be'],
    ['one technique', () => add(1, 'Title', 'Reason', { techniques: 'T1078' }), 'evidence.finding: techniques must be a list of texts'],
    ['an unknown fact', () => add(1, 'Title', 'Reason', { fact: { name: 'no-fact' } }), 'evidence.finding: fact must be a known fact'],
    [
      'an unknown fact as such',
      () => new EvidenceRecorder().fact({ name: 'x' } as never, 'Title', ''),
      'evidence.fact: fact must be a known',
    ],
  ])('%s', (_, use, sentence) => {
    expect(use).toThrow(sentence);
  });

  it('more entries than a case can show', () => {
    const evidence = add(10);
    expect(() => {
      for (let entry = 0; entry < 5_000; entry += 1) evidence.note('Again', 'Reason', { step: `step ${entry}` });
    }).toThrow('The playbook added more than 5000 entries of evidence.');
  });

  it('a change of an entry', () => {
    const [entry] = add(10).entries;
    expect(() => Reflect.set(entry ?? {}, 'points', Number.NaN) || Object.assign(entry ?? {}, { points: Number.NaN })).toThrow(TypeError);
    expect(entry?.points).toBe(10);
  });
});

it('leaves out techniques that are none, which third parties send', () => {
  const [entry] = add(10, 'Title', 'Reason', { techniques: ['T1078', 'Initial access', 'TA0001', 'T1566.001'] }).entries;
  expect(entry?.techniques).toEqual(['T1078', 'T1566.001']);
});

it.each([
  ['no input', () => checkCall('skills.a.b', undefined, undefined), 'skills.a.b: the input must be an object, not undefined.'],
  [
    'an input of megabytes',
    () => checkCall('skills.a.b', { text: 'x'.repeat(300_000) }, undefined),
    'skills.a.b: the input has 300011 characters.',
  ],
  ['an unnamed connection', () => checkCall('skills.a.b', {}, 5), 'skills.a.b: connection must be the name of a connection, not 5.'],
  ['no reason', () => checkProposeOptions('propose.a.b', {}), 'propose.a.b: reason must be a text that is not empty, not undefined.'],
  [
    'half hours',
    () => checkProposeOptions('propose.a.b', { reason: 'x', releaseAfterHours: 0.5 }),
    'releaseAfterHours must be a whole number',
  ],
])('a call refuses %s', (_, call, sentence) => {
  expect(call).toThrow(sentence);
});

it('the context refuses values that no query can hold', () => {
  const taken: unknown[] = [];
  const take = async (given: unknown) => void taken.push(given);
  const context = withCheckedValues({ correlate: take, findLikelyOwn: take, searchRecords: take, followUp: take } as never) as unknown as {
    readonly [name: string]: (given: unknown) => unknown;
  };
  expect(() => context['correlate']?.({ by: ['machine'], withinDays: 7 })).toThrow(
    'correlate: by must be a list of kinds of entities, not a list.',
  );
  expect(() => context['correlate']?.({ by: ['ip'], withinDays: Number.NaN })).toThrow('correlate: withinDays must be a number of days');
  expect(() => context['findLikelyOwn']?.('corp.example')).toThrow('findLikelyOwn: domains must be a list of texts, not "corp.example".');
  expect(() => context['searchRecords']?.([null])).toThrow('searchRecords: values must be a list of texts, not a list.');
  expect(() => context['followUp']?.({ afterHours: Number.NaN, reason: 'later' })).toThrow(
    'followUp: afterHours must be a finite number, not NaN.',
  );
  expect(() => context['followUp']?.({ afterHours: 1, reason: '' })).toThrow('followUp: reason must be a text that is not empty, not "".');
  expect(taken).toEqual([]);
  context['correlate']?.({ by: ['ip'], withinDays: 7 });
  expect(taken).toHaveLength(1);
});

it('describes an error of any size in a bounded sentence with its place', () => {
  expect(describeError(new Error('x'.repeat(3_000_000))).length).toBeLessThan(4_200);
  expect(describeError(Object.create(null))).toBe('The playbook threw a value without a text.');
});
