import { expect, it } from 'vitest';
import type { Spread } from '../../../domain/record/record.js';
import { malwareOnHost } from '../../../workflows/playbooks/malware-on-host.js';
import { reportedPhishing } from '../../../workflows/playbooks/reported-phishing.js';
import { answersWith, enrichment, expectVerdict, investigateWith, record, whole } from '../../support/playbook-kit.js';

const TUNNEL = '203.0.113.66';
const spread = (value: string): Spread => ({
  value,
  records: 10,
  subjects: 8,
  people: 8,
  machines: 8,
  hasHarmless: true,
  hasAttack: true,
  hasOpen: true,
});
const skills = (score: number | null) =>
  answersWith({
    threatIntelligence: { getEnrichment: async (question: { kind: string; value: string }) => enrichment(question, score) },
    endpointDetection: { listMachines: async () => whole({ id: 'm1', computerDnsName: 'ws-014' }) },
  });
const alert = { type: 'Suspicious outbound connection', content: `host=ws-014 connected to ${TUNNEL}` };
const ofOther = { shared: [TUNNEL], namesOthers: true as const };

it.each([
  ['confirmed as an attack', { conclusion: 'malicious' as const, isOpen: false }],
  ['closed as harmless', { conclusion: 'benign' as const, isOpen: false }],
  ['open', { severity: 'high' as const }],
])('a record of another person that names only a shared address does not count: %s', async (_, given) => {
  const records = [record({ ...ofOther, ...given })];
  const result = await investigateWith(reportedPhishing, { alert, skills: skills(null), records, spreads: [spread(TUNNEL)] });
  expectVerdict(result, 'inconclusive', { because: new RegExp(`Shared by many: ${TUNNEL}: 10 records of 8 different people or machines`) });
  expectVerdict(result, 'inconclusive', { because: /Many people or machines share what it names/ });
});

it('suggests a shared value as knowledge of the organization, once', async () => {
  const onServer = { type: 'Malware detected', content: `host=jump-01.corp.example connected to ${TUNNEL}` };
  const spreads = [{ ...spread(TUNNEL), cases: 3, days: 5 }, spread('jump-01'), spread('jump-01.corp.example')];
  const { evidence } = await investigateWith(malwareOnHost, { alert: onServer, skills: skills(null), records: [], spreads });
  const found = { records: 10, people: 8, machines: 8 };
  expect(evidence.flatMap(({ kind, step, shared }) => (shared ? [{ kind, step, shared }] : []))).toEqual([
    { kind: 'note', step: 'shared-value-203-0-113-66', shared: { kind: 'ip', value: TUNNEL, ...found, cases: 3, days: 5 } },
    {
      kind: 'note',
      step: 'shared-value-jump-01-corp-example',
      shared: { kind: 'host', value: 'jump-01.corp.example', ...found, cases: 0, days: 0 },
    },
  ]);
});

it('the clean reputation of a shared address clears nothing', async () => {
  const given = { alert, skills: skills(0), records: [] };
  const alone = await investigateWith(reportedPhishing, given);
  expect(alone.evidence.some(({ points, title }) => points < 0 && title.includes(TUNNEL))).toBe(true);
  const shared = await investigateWith(reportedPhishing, { ...given, spreads: [spread(TUNNEL)] });
  expect(shared.evidence.filter(({ points, title }) => points !== 0 && title.includes(TUNNEL))).toEqual([]);
});

it('an address with a bad reputation is no shared address, whoever met it', async () => {
  const result = await investigateWith(reportedPhishing, { alert, skills: skills(89), records: [], spreads: [spread(TUNNEL)] });
  expectVerdict(result, 'malicious', { because: /Malicious reputation/ });
});

it('a record that names the machine of the alert too counts, but not as one about the same address', async () => {
  const records = [record({ shared: [TUNNEL, 'ws-014'], conclusion: 'malicious', isOpen: false })];
  const result = await investigateWith(reportedPhishing, { alert, skills: skills(null), records, spreads: [spread(TUNNEL)] });
  expectVerdict(result, 'malicious', { because: /Confirmed as an attack: A record: .*names ws-014\./ });
});

it('a record that names a shared machine and nobody else is about the machine', async () => {
  const onServer = { type: 'Malware detected', content: 'host=jump-01' };
  const records = [record({ shared: ['jump-01'], severity: 'high' })];
  const given = { alert: onServer, skills: skills(null), spreads: [spread('jump-01')] };
  expectVerdict(await investigateWith(malwareOnHost, { ...given, records }), 'suspicious', { because: /Open at the third party/ });
  const ofUser = [record({ shared: ['jump-01'], severity: 'high', namesOthers: true })];
  expectVerdict(await investigateWith(malwareOnHost, { ...given, records: ofUser }), 'inconclusive');
});

it('a person who looked at the same upload cleared it, although everybody uses the place', async () => {
  const upload = { type: 'Data exfiltration', content: 'user=dana uploaded to files.example' };
  const records = [record({ shared: ['dana', 'files.example'], conclusion: 'benign', isOpen: false, title: 'Upload', happenedAt: null })];
  const given = { alert: upload, skills: skills(null), spreads: [spread('files.example')] };
  expectVerdict(await investigateWith(reportedPhishing, { ...given, records }), 'benign', { because: /Reviewed as no attack/ });
  const onTheWay = [record({ shared: ['dana', TUNNEL], conclusion: 'benign', isOpen: false, title: 'Trip', happenedAt: null })];
  const signIn = { type: 'Data exfiltration', content: `user=dana uploaded from ${TUNNEL}` };
  const other = { ...given, alert: signIn, spreads: [spread(TUNNEL)], records: onTheWay };
  expectVerdict(await investigateWith(reportedPhishing, other), 'inconclusive');
});
