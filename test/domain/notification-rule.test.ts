import { describe, expect, it } from 'vitest';
import { matchesRule, withDecisions } from '../../domain/notification/rule.js';

const ALL = { events: ['case.verdict_changed', 'connection.broken'], min_severity: null, verdicts: [], assignee: null } as const;
const everything = { ...ALL, events: [...ALL.events], verdicts: [] };
const judged = { name: 'case.verdict_changed', data: { case_id: 'DEMO-CASE-1', severity: 'high', verdict: 'malicious', assignee: 'ines' } };
const opened = { name: 'case.verdict_changed', data: { case_id: 'DEMO-CASE-2', severity: null, verdict: null, assignee: null } };
const broken = { name: 'connection.broken', data: { connection_id: 'x' } };

describe('a rule', () => {
  it('without conditions matches each of its events', () => {
    for (const event of [judged, opened, broken]) expect(matchesRule(everything, event)).toBe(true);
    expect(matchesRule(everything, { ...judged, name: 'case.opened' })).toBe(false);
  });

  it('with a severity matches cases of at least this severity', () => {
    for (const [min_severity, matches] of [
      ['medium', true],
      ['high', true],
      ['critical', false],
    ] as const)
      expect(matchesRule({ ...everything, min_severity }, judged)).toBe(matches);
    expect(matchesRule({ ...everything, min_severity: 'informational' }, opened)).toBe(false);
    expect(matchesRule({ ...everything, min_severity: 'informational' }, broken)).toBe(false);
  });

  it('with verdicts or an assignee matches only such cases', () => {
    expect(matchesRule({ ...everything, verdicts: ['suspicious', 'malicious'] }, judged)).toBe(true);
    expect(matchesRule({ ...everything, verdicts: ['benign'] }, judged)).toBe(false);
    expect(matchesRule({ ...everything, verdicts: ['benign'] }, broken)).toBe(false);
    expect(matchesRule({ ...everything, assignee: 'ines' }, judged)).toBe(true);
    expect(matchesRule({ ...everything, assignee: 'dana' }, judged)).toBe(false);
    expect(matchesRule({ ...everything, assignee: 'ines' }, opened)).toBe(false);
  });

  it('that asks for decisions also brings them', () => {
    expect(withDecisions(['proposal.waiting', 'case.opened'])).toEqual(['proposal.waiting', 'case.opened', 'proposal.decided']);
    expect(withDecisions(['proposal.waiting', 'proposal.decided'])).toEqual(['proposal.waiting', 'proposal.decided']);
    expect(withDecisions(['run.waiting'])).toEqual(['run.waiting', 'run.decided']);
    expect(withDecisions(['case.opened'])).toEqual(['case.opened']);
  });
});
