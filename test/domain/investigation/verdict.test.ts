import { describe, expect, it } from 'vitest';
import type { EvidenceDraft } from '../../../domain/case/evidence.js';
import { concludeFrom, readReasons } from '../../../domain/investigation/verdict.js';

let steps = 0;
function entry(kind: EvidenceDraft['kind'], points: number, title = `${kind} ${points}`, reason = 'because'): EvidenceDraft {
  steps += 1;
  return { step: `step-${steps}`, kind, source: null, title, points, reason, techniques: [] };
}
const finding = (points: number, title?: string, reason?: string) => entry('finding', points, title, reason);
const gap = (title?: string) => entry('gap', 0, title);
const note = (points = 0) => entry('note', points);

describe('the verdict', () => {
  it.each([
    ['malicious', 'high', [70]],
    ['malicious', 'critical', [50, 40]],
    ['malicious', 'high', [100, -20]],
    ['suspicious', 'medium', [30]],
    ['suspicious', 'medium', [69]],
    ['inconclusive', 'low', [29]],
    ['benign', 'informational', [-40]],
    ['benign', 'informational', [20, -60]],
    // Benign needs one decisive finding (-40) or two sources.
    ['inconclusive', 'low', [-39]],
    ['inconclusive', 'low', [-20, -20]],
    // Harmless findings never outweigh a serious finding (45).
    ['suspicious', 'medium', [45, -60]],
    ['suspicious', 'medium', [55, -15, -15, -15, -15, -15]],
    // Findings in both directions: the sum of the points gives the verdict.
    ['inconclusive', 'low', [29, -1]],
    ['inconclusive', 'low', [40, -40]],
    ['suspicious', 'medium', [60, -20]],
  ] as const)('%s (%s) follows from %j', (verdict, severity, points) => {
    expect(concludeFrom(points.map((each) => finding(each)))).toMatchObject({ verdict, severity });
  });

  it.each([
    ['no evidence at all', []],
    ['notes alone', [note(), note(-50)]],
    ['gaps alone', [gap(), gap()]],
    ['findings without weight', [finding(0)]],
  ])('is inconclusive, never benign, for %s', (_, evidence) => {
    expect(concludeFrom(evidence)).toMatchObject({ verdict: 'inconclusive', score: 0, confidence: 0, severity: 'low' });
  });

  it('is benign when two third parties agree, not when one reports it twice', () => {
    const by = (connector: string, points: number): EvidenceDraft => ({
      ...finding(points),
      source: { connector, connection: 'main', skill_id: 'Ask' },
    });
    expect(concludeFrom([by('threat-intelligence', -15), by('endpoint-detection', -10)]).verdict).toBe('benign');
    expect(concludeFrom([by('threat-intelligence', -15), by('threat-intelligence', -15)]).verdict).toBe('inconclusive');
    expect(concludeFrom([by('threat-intelligence', -15), finding(-10)]).verdict).toBe('benign');
  });

  it('is not benign when part of the alert was not checked', () => {
    const leftOut = { ...gap('Not every link was asked about'), step: 'left-out-links' };
    expect(concludeFrom([finding(-60), gap()]).verdict).toBe('benign');
    expect(concludeFrom([finding(-60), leftOut]).verdict).toBe('inconclusive');
    expect(concludeFrom([finding(80), leftOut]).verdict).toBe('malicious');
  });

  it('counts only findings: notes and gaps have no points', () => {
    expect(concludeFrom([finding(40), note(60), entry('gap', 60)])).toMatchObject({ verdict: 'suspicious', score: 40 });
  });

  it('does not depend on the order of the evidence', () => {
    const evidence = [finding(40, 'one'), finding(-10, 'two'), gap('three'), finding(25, 'four')];
    expect(concludeFrom(evidence.toReversed())).toEqual(concludeFrom(evidence));
  });
});

describe('score and confidence', () => {
  it.each([
    [[100, 100, 100], 100],
    [[-100, -100], 0],
    [[60, -20], 40],
  ])('stay within their limits for %j', (points, score) => {
    const conclusion = concludeFrom(points.map((each) => finding(each)));
    expect(conclusion.score).toBe(score);
    expect(conclusion.confidence).toBeGreaterThanOrEqual(0);
    expect(conclusion.confidence).toBeLessThanOrEqual(100);
  });

  it('change only the confidence for unanswered calls', () => {
    const confidences = [0, 1, 2, 10].map((gaps) => concludeFrom([finding(80), ...Array.from({ length: gaps }, () => gap())]));
    expect(confidences.map(({ confidence }) => confidence)).toEqual([80, 65, 50, 0]);
    expect(new Set(confidences.map(({ verdict, score }) => `${verdict} ${score}`)).size).toBe(1);
  });
});

describe('the summary', () => {
  it('lists the verdict, then the findings, then the unanswered calls', () => {
    const { summary } = concludeFrom([
      gap('Mail gateway'),
      finding(10, 'Small'),
      finding(-30, 'Against'),
      note(),
      finding(90, 'Great', 'a known hash'),
      gap('Sandbox'),
    ]);
    expect(summary.split('\n')).toEqual([
      'Malicious (score 70).',
      '+90 Great: a known hash',
      '-30 Against: because',
      '+10 Small: because',
      'Not answered: Mail gateway; Sandbox.',
    ]);
    expect(readReasons(summary)).toEqual([
      { points: 90, text: 'Great: a known hash' },
      { points: -30, text: 'Against: because' },
      { points: 10, text: 'Small: because' },
      { points: null, text: 'Not answered: Mail gateway; Sandbox.' },
    ]);
  });

  it('starts with the verdict when there is no evidence', () => {
    expect(concludeFrom([]).summary).toMatch(/^Inconclusive/);
  });

  it('keeps the gaps when the reasons are long', () => {
    const { summary } = concludeFrom([
      ...Array.from({ length: 10 }, (_, index) => finding(10 + index, 't'.repeat(300), '🙂'.repeat(2_000))),
      gap('The one that matters'),
    ]);
    expect(summary.length).toBeLessThanOrEqual(10_000);
    expect(summary.isWellFormed()).toBe(true);
    expect(summary).toMatch(/Not answered: The one that matters\.$/);
  });
});
