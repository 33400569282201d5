import { describe, expect, it } from 'vitest';
import type { Outcome } from './investigate.js';
import { measureQuality, renderTable } from './report.js';

function outcome(given: Omit<Partial<Outcome>, 'alert'> & { readonly alert?: Partial<Outcome['alert']> } = {}): Outcome {
  return {
    part: 'third',
    caseId: 'case',
    verdict: 'malicious',
    analystVerdict: null,
    confidence: 85,
    elapsedMs: 1,
    gaps: [],
    summary: '',
    ...given,
    alert: {
      name: 'n',
      type: 't',
      content: '',
      right: ['malicious', 'suspicious'],
      why: '',
      isAttack: true,
      format: 'CEF',
      facts: ['travel'],
      ...given.alert,
    },
  };
}

describe('the quality report', () => {
  it('counts the verdicts by format and by kind of fact, without alerts that state none', () => {
    const { byFormat, byFact } = measureQuality([
      outcome(),
      outcome({ verdict: 'benign', alert: { format: 'XML' } }),
      outcome({ verdict: 'suspicious', alert: { format: 'XML', facts: ['stale', 'travel'] } }),
      { ...outcome({ part: 'tuned' }), alert: { name: 'n', type: 't', content: '', right: ['benign'], why: '', isAttack: false } },
    ]);
    expect(byFormat).toEqual([
      { of: 'CEF', alerts: 1, right: 1, best: 1 },
      { of: 'XML', alerts: 2, right: 1, best: 0 },
    ]);
    expect(byFact).toEqual([
      { of: 'travel', alerts: 3, right: 2, best: 1 },
      { of: 'stale', alerts: 1, right: 1, best: 0 },
    ]);
  });

  it('counts the right verdicts of each band of confidence, without failed investigations', () => {
    const { calibration } = measureQuality([
      outcome({ confidence: 0 }),
      outcome({ confidence: 39, verdict: 'benign' }),
      outcome({ confidence: 40 }),
      outcome({ confidence: 59 }),
      outcome({ confidence: 79 }),
      outcome({ confidence: 80, verdict: 'inconclusive' }),
      outcome({ confidence: 100 }),
      outcome({ confidence: null, verdict: null }),
    ]);
    expect(calibration).toEqual([
      { of: '0–39', alerts: 2, right: 1, best: 1 },
      { of: '40–59', alerts: 2, right: 2, best: 2 },
      { of: '60–79', alerts: 1, right: 1, best: 1 },
      { of: '80–100', alerts: 2, right: 1, best: 1 },
    ]);
  });

  it('applies the limit to each part', () => {
    const wrong = { verdict: 'inconclusive' } as const;
    expect(measureQuality([outcome(wrong), outcome({ part: 'tuned' })]).missed).toEqual(['third: 0.0 % right, at least 95 %']);
    expect(measureQuality([outcome(), outcome({ ...wrong, part: 'held out' })]).missed).toEqual(['held out: 0.0 % right, at least 95 %']);
    expect(measureQuality([outcome({ verdict: 'benign' })]).missed).toEqual([
      'third: 0.0 % right, at least 95 %',
      '1 malicious called benign',
    ]);
  });

  it('prints a table for each of them', () => {
    const text = renderTable(measureQuality([outcome()]));
    expect(text).toContain('| third | 1 | 1 | 100.0 % | 100.0 % |');
    expect(text).toContain('| CEF | 1 | 1 | 100.0 % | 100.0 % |');
    expect(text).toContain('| travel | 1 | 1 | 100.0 % | 100.0 % |');
    expect(text).toContain('| 80–100 | 1 | 1 | 100.0 % | 100.0 % |');
    expect(text).toContain('| 0–39 | 0 | 0 | – | – |');
  });
});
