import { describe, expect, it } from 'vitest';
import type { EvidenceDraft } from '../../../domain/verdict/evidence.js';
import { FACT_RULES, type FactName } from '../../../domain/verdict/fact.js';
import { judgeSeverity, NO_EXPOSURE } from '../../../domain/verdict/severity.js';
import { combineSeverities, readReasons, storeReasons } from '../../../domain/verdict/verdict.js';

const fact = (name: FactName): EvidenceDraft => ({
  step: name,
  kind: 'finding',
  source: null,
  title: FACT_RULES[name].says,
  points: FACT_RULES[name].points,
  reason: '',
  techniques: [],
  fact: { name },
});

describe('the severity', () => {
  it.each(['malicious', 'suspicious', 'inconclusive'] as const)(
    'of a ransomware behaviour is critical, also if the verdict is %s',
    (verdict) => {
      const behaviours = [{ title: 'Shadow copies deleted', severity: 'critical' as const }];
      expect(judgeSeverity(verdict, [], { behaviours })).toEqual({
        severity: 'critical',
        reasons: [`The verdict is ${verdict}`, 'Behaviour: Shadow copies deleted'],
      });
    },
  );

  it('of an unexplained alert that its source calls critical is high', () => {
    expect(judgeSeverity('inconclusive', [], { sourceSeverity: 'critical' })).toEqual({
      severity: 'high',
      reasons: ['The verdict is inconclusive', 'The source of the alert calls it critical'],
    });
  });

  it('of a malicious alert is critical only with damage, importance or the word of the source', () => {
    expect(judgeSeverity('malicious', [fact('malicious-reputation'), fact('contact')]).severity).toBe('high');
    expect(judgeSeverity('malicious', [fact('malware-removed')]).severity).toBe('high');
    expect(judgeSeverity('malicious', [fact('malware-ran')]).severity).toBe('critical');
    expect(judgeSeverity('malicious', [fact('important-asset')]).severity).toBe('critical');
    expect(judgeSeverity('malicious', [], { sourceSeverity: 'critical' }).severity).toBe('critical');
  });

  it('rises with the importance of an account that the organization knows', () => {
    const important = [{ reason: 'important account cfo' }];
    expect(judgeSeverity('suspicious', [], { important })).toEqual({
      severity: 'high',
      reasons: ['The verdict is suspicious', 'The alert names the important account cfo'],
    });
  });

  it('of a vulnerability with a CVSS score of 10 is high, unless the machine does not have it', () => {
    const exposure = { ...NO_EXPOSURE, cvss: 10 };
    expect(judgeSeverity('inconclusive', [], { exposure })).toEqual({
      severity: 'high',
      reasons: ['The verdict is inconclusive', 'The vulnerability has a CVSS score of 10'],
    });
    expect(judgeSeverity('inconclusive', [fact('vulnerability-absent')], { exposure }).severity).toBe('low');
  });

  it('of an exploited vulnerability is high', () => {
    expect(judgeSeverity('suspicious', [fact('exploited-vulnerability')]).severity).toBe('high');
    expect(judgeSeverity('inconclusive', [], { exposure: { ...NO_EXPOSURE, isExploited: true } }).severity).toBe('high');
  });

  it('of a benign alert is informational, whatever its content states', () => {
    const stated = {
      sourceSeverity: 'critical',
      behaviours: [{ title: 'x', severity: 'critical' }],
      exposure: { ...NO_EXPOSURE, cvss: 10 },
    } as const;
    expect(judgeSeverity('benign', [fact('important-asset')], stated)).toEqual({
      severity: 'informational',
      reasons: ['The verdict is benign'],
    });
  });

  it('names only the reasons that decide it', () => {
    const { reasons } = judgeSeverity('inconclusive', [], { sourceSeverity: 'high', exposure: { ...NO_EXPOSURE, cvss: 9.8 } });
    expect(reasons).toEqual(['The verdict is inconclusive', 'The vulnerability has a CVSS score of 9.8']);
  });
});

describe('the severity of a case', () => {
  const alert = (alertId: string, severity: 'low' | 'high' | null, ...severityReasons: string[]) => ({
    alertId,
    severity,
    reasons: storeReasons([{ points: 30, text: 'a finding' }], severityReasons),
  });

  it('is the highest of its alerts, with the reasons of those', () => {
    expect(combineSeverities([alert('A-1', 'low', 'first'), alert('A-2', 'high', 'second'), alert('A-3', null)])).toEqual({
      severity: 'high',
      severityReasons: ['A-2: second'],
    });
  });

  it('is stored beside the reasons of the verdict', () => {
    const { reasons } = alert('A-1', 'low', 'first');
    expect(readReasons({ reasons, summary: '' })).toEqual([{ points: 30, text: 'a finding' }]);
  });

  it('has the reasons of its only alert, and none before the verdict', () => {
    expect(combineSeverities([alert('A-1', 'low', 'first')]).severityReasons).toEqual(['first']);
    expect(combineSeverities([alert('A-1', null)])).toEqual({ severity: null, severityReasons: [] });
  });
});
