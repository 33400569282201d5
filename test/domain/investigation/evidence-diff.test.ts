import { describe, expect, it } from 'vitest';
import { changeSince, changesBetween, describeChange } from '../../../domain/investigation/evidence-diff.js';
import type { EvidenceDraft } from '../../../domain/verdict/evidence.js';

const source = (skill_id: string, skill_key = skill_id) => ({ connector: 'threat-intelligence', connection: 'main', skill_id, skill_key });
function entry(kind: EvidenceDraft['kind'], points: number, title: string, more: Partial<EvidenceDraft> = {}): EvidenceDraft {
  return { step: title.toLowerCase().replaceAll(' ', '-'), kind, source: null, title, points, reason: 'because', techniques: [], ...more };
}
const finding = (points: number, title: string, more?: Partial<EvidenceDraft>) => entry('finding', points, title, more);
const gap = (title: string, more?: Partial<EvidenceDraft>) => entry('gap', 0, title, more);
const note = (title: string, more?: Partial<EvidenceDraft>) => entry('note', 0, title, more);

describe('the changes between two investigations', () => {
  it('are empty for the same evidence in another order', () => {
    const found = [finding(30, 'One'), finding(-10, 'Two'), gap('Three'), note('Four')];
    expect(changesBetween(found, found.toReversed())).toEqual([]);
  });

  it('list new and missing findings, highest points first', () => {
    expect(changesBetween([finding(20, 'ip 203.0.113.9 was seen before')], [finding(60, 'A known malicious ip')])).toEqual([
      { change: 'new', title: 'A known malicious ip', points_before: null, points_now: 60 },
      { change: 'gone', title: 'ip 203.0.113.9 was seen before', points_before: 20, points_now: null },
    ]);
  });

  it('list changed points, even when the same step has another title', () => {
    const before = [finding(40, 'Same words'), finding(60, 'Malicious: 203.0.113.9', { step: 'ask-1' })];
    const now = [finding(10, 'Same words'), finding(15, 'Doubtful: 203.0.113.9', { step: 'ask-1' })];
    expect(changesBetween(before, now)).toEqual([
      { change: 'weighs differently', title: 'Doubtful: 203.0.113.9', points_before: 60, points_now: 15 },
      { change: 'weighs differently', title: 'Same words', points_before: 40, points_now: 10 },
    ]);
  });

  it('distinguish two values of one step with the same points', () => {
    const changes = changesBetween([finding(60, 'Malicious: one', { step: 'ask-1' })], [finding(60, 'Malicious: two', { step: 'ask-1' })]);
    expect(changes.map(({ change, title }) => [change, title])).toEqual([
      ['new', 'Malicious: two'],
      ['gone', 'Malicious: one'],
    ]);
  });

  it('count each finding with the same title', () => {
    const twice = [finding(30, 'Again'), finding(30, 'Again', { step: 'again-2' })];
    expect(changesBetween(twice, twice.slice(0, 1))).toEqual([{ change: 'gone', title: 'Again', points_before: 30, points_now: null }]);
  });

  it.each([
    ['a finding', finding(60, 'A known malicious ip', { source: source('Get Enrichment') })],
    ['a note', note('Get Enrichment: answered', { source: source('Get Enrichment') })],
    ['a note under another title', note('Enrich: answered', { source: source('Enrich', 'Get Enrichment') })],
  ])('report a gap as answered when %s has the skill of the gap as source', (_, answer) => {
    const before = [gap('Get Enrichment: no answer', { source: source('Get Enrichment') })];
    expect(changesBetween(before, [answer])).toContainEqual({
      change: 'answered',
      title: 'Get Enrichment: no answer',
      points_before: null,
      points_now: null,
    });
  });

  it('report a gap as gone when no evidence answers it, and a new gap as unanswered', () => {
    const before = [gap('Get Enrichment: no answer', { source: source('Get Enrichment') })];
    const now = [gap('List Alerts: no answer', { source: source('List Alerts') })];
    expect(changesBetween(before, now).map(({ change, title }) => [change, title])).toEqual([
      ['unanswered', 'List Alerts: no answer'],
      ['gone', 'Get Enrichment: no answer'],
    ]);
  });

  it('ignore notes and findings without points', () => {
    expect(changesBetween([note('One'), finding(0, 'Two')], [note('Three')])).toEqual([]);
  });
});

describe('the description of a change', () => {
  const change = (before: EvidenceDraft[], now: EvidenceDraft[]) =>
    changeSince({ investigationNo: 1, verdict: 'malicious', evidence: before }, { investigationNo: 3, verdict: 'benign', evidence: now });

  it('contains the earlier investigation, the verdicts and the changed points', () => {
    expect(
      describeChange(change([finding(80, 'Known address'), finding(20, 'Both')], [finding(-40, 'Dealt with'), finding(10, 'Both')])),
    ).toBe(
      'Compared with investigation 1: malicious → benign; no longer found (+80): Known address; new (-40): Dealt with; points changed (+20 → +10): Both',
    );
  });

  it('reports an unchanged verdict when nothing changed', () => {
    const same = { verdict: 'benign' as const, evidence: [finding(-40, 'Dealt with')] };
    expect(describeChange(changeSince({ investigationNo: 2, ...same }, { investigationNo: 3, ...same }))).toBe(
      'Compared with investigation 2: still benign; no other changes',
    );
  });

  it('is limited in length', () => {
    const many = Array.from({ length: 40 }, (_, index) => finding(10 + index, `${index} ${'x'.repeat(290)}`));
    const words = describeChange(change([], many));
    expect(words.length).toBeLessThan(1_200);
    expect(words).toMatch(/; 35 more$/);
  });
});
