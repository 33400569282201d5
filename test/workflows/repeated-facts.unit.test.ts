import { describe, expect, it } from 'vitest';
import { SkillKey } from '../../domain/skill-key.js';
import type { EvidenceSource } from '../../domain/verdict/evidence.js';
import type { Fact } from '../../domain/verdict/fact.js';
import { concludeFrom } from '../../domain/verdict/verdict.js';
import { rememberAnswer } from '../../workflows/lib/answer-source.js';
import { EvidenceRecorder } from '../../workflows/lib/evidence-log.js';

const ADDRESS = '203.0.113.7';
const enrichment: EvidenceSource = {
  connector: 'threat-intelligence',
  connection: 'main',
  skill_id: 'Get Enrichment',
  skill_key: SkillKey.parse('threatIntelligence.getEnrichment'),
};
const incidents: EvidenceSource = {
  ...enrichment,
  connector: 'incident-source',
  skill_id: 'Get Incident',
  skill_key: SkillKey.parse('incidentSource.getIncident'),
};

function answer(input: unknown, source = enrichment): object {
  const output = { score: 90 };
  rememberAnswer(output, source, false, input);
  return output;
}
const reputation: Fact = { name: 'malicious-reputation', about: [ADDRESS] };
const addFact = (evidence: EvidenceRecorder, fact: Fact = reputation, source = enrichment) =>
  evidence.fact(fact, 'Malicious reputation', 'It scores 90.', { step: 'fact', source });
const shown = ({ entries }: EvidenceRecorder) => entries.map(({ kind, title, points }) => [kind, title, points]);

describe("an author's finding about a fact that counts", () => {
  it.each([
    ['after the fact', true, { kind: 'ip', value: ADDRESS }],
    ['before the fact', false, { kind: 'ip', value: ADDRESS }],
    ['with the kind in front of the entity', true, { entities: [`ip:${ADDRESS}`] }],
  ])('is a note without points: %s', (_, isAfter, input) => {
    const evidence = new EvidenceRecorder();
    if (isAfter) addFact(evidence);
    evidence.finding(40, 'The address is bad', 'It scores 90.', { from: answer(input), techniques: ['T1071'] });
    if (!isAfter) addFact(evidence);
    expect(shown(evidence)).toContainEqual(['note', 'The address is bad', 0]);
    expect(concludeFrom(evidence.entries)).toMatchObject({ verdict: 'suspicious', score: 45 });
    const note = evidence.entries.find(({ kind }) => kind === 'note');
    expect(note).toMatchObject({
      reason: expect.stringContaining('this counts already: Malicious reputation.'),
      techniques: ['T1071'],
      source: enrichment,
    });
    // The note replaces the saved finding.
    expect(evidence.takeUnsaved().filter(({ title }) => title === 'The address is bad')).toMatchObject([{ kind: 'note' }]);
  });

  it('is a note if it rests on the record of the fact', () => {
    const evidence = new EvidenceRecorder();
    const list = { ...incidents, skill_id: 'List Incidents', skill_key: SkillKey.parse('incidentSource.listIncidents') };
    addFact(evidence, { name: 'open-record-high', key: '2041', about: ['ws-014'] }, list);
    evidence.finding(35, 'The incident is open', 'Severity high.', { from: answer({ incident_id: '2041' }, incidents) });
    expect(concludeFrom(evidence.entries).score).toBe(40);
  });

  it.each([
    ['about another entity', { from: answer({ value: '203.0.113.8' }) }],
    ['from another skill', { from: answer({ value: ADDRESS }, incidents) }],
    ['that states another fact', { from: answer({ value: ADDRESS }), otherFact: true }],
    ['of the content alone', {}],
  ])('counts if it is one %s', (_, options) => {
    const evidence = new EvidenceRecorder();
    addFact(evidence);
    evidence.finding(20, 'Own finding', 'It is something else.', options);
    expect(shown(evidence)).toContainEqual(['finding', 'Own finding', 20]);
    expect(concludeFrom(evidence.entries).score).toBe(65);
  });

  it('counts if it points the other way, or if the fact itself does not count', () => {
    const evidence = new EvidenceRecorder();
    addFact(evidence, { name: 'unknown-reputation', about: [ADDRESS] });
    evidence.finding(20, 'Own finding', 'x', { from: answer({ value: ADDRESS }) });
    addFact(evidence);
    expect(shown(evidence)).toContainEqual(['note', 'Own finding', 0]);
    evidence.finding(-20, 'It is ours', 'x', { from: answer({ value: ADDRESS }) });
    expect(shown(evidence)).toContainEqual(['finding', 'It is ours', -20]);
  });
});
