import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMPUTERS, INDICATORS } from '../../connectors/kit/stand-in/company.js';
import { malwareEvent } from '../../connectors/malware-protection/stand-in.js';
import type { ThirdParties } from '../../connectors/stand-ins.js';
import type { Plan } from '../../domain/playbook/playbook.js';
import type { Proposal } from '../../domain/response/proposal.js';
import { replayAll, type TestService } from '../support/service.js';
import { createConnection, startWithThirdParties, type WithThirdParties } from '../support/with-third-parties.js';
import { contentWithEverything, expectIgnoredTime } from './support/generated.js';

let service: TestService;
let thirdParties: ThirdParties;
let stop: WithThirdParties['stop'];

beforeAll(async () => {
  ({ service, thirdParties, stop } = await startWithThirdParties());
  for (const [name, fields] of Object.entries(thirdParties.connections))
    await createConnection(service, { instance_name: name, ...fields });
});
afterAll(() => stop?.());

it('queries every connector that can look up an alert of an unknown type, and explains the verdict', async () => {
  const sent = await service.sendAlert({ alert_type: 'Zorbing of the frobnicator', alert_content: contentWithEverything(thirdParties) });
  const done = await service.waitForStatus(sent.alert_id, 15, 20);
  expect(done.investigation_status).toBe(15);
  const opened = await service.readCase(sent.alert_id);
  const spoke = new Set(opened.evidence.flatMap((entry) => (entry.source ? [entry.source.connector] : [])));
  expect([...spoke].sort()).toEqual(expect.arrayContaining(['endpoint-detection', 'malware-protection', 'threat-intelligence']));
  expect(opened.verdict).toBe('malicious');
  expect(opened.evidence.some((entry) => entry.techniques.length > 0)).toBe(true);
  const asked = await service.database.pg<{ connector: string }[]>`
    select distinct connector_kind as connector from skill_results join alerts using (alert_uuid) where alert_id = ${sent.alert_id}`;
  expect(asked.map((row) => row.connector).sort()).toEqual([
    'endpoint-detection',
    'incident-source',
    'malware-protection',
    'threat-intelligence',
    'travel-booking',
    'vulnerability-investigation',
  ]);
  const [playbook] = await service.database.pg<{ plan: { steps: { why: string }[] } }[]>`
    select plan from playbook_alert_types join playbooks using (playbook_uuid) join playbook_plans using (playbook_uuid, version)
    where alert_type = 'Zorbing of the frobnicator'`;
  expect(playbook?.plan.steps.every((step) => step.why.length > 20)).toBe(true);
});

it('ignores created_at_source in nanoseconds for its questions, and says so', () =>
  expectIgnoredTime({ service, thirdParties }, 'Impossible travel', 1_790_000_000_000_000_000));

it.each([
  [
    'Ransomware behavior',
    { severity: 'Critical', process: { command_line: 'vssadmin delete shadows /all /quiet' }, renamed_files: 400 },
    { verdict: 'suspicious', severity: 'critical' },
  ],
  [
    'Group membership',
    { event_id: 4728, TargetUserName: 'Domain Admins', MemberName: 'CN=temp7,OU=Users,DC=unknown,DC=example' },
    { verdict: 'suspicious', severity: 'high' },
  ],
  ['Vulnerable library', 'CVE-2024-3094 with CVSS 10 in liblzma', { severity: 'high' }],
  ['Unexplained', { severity: 'critical', message: 'Sensor 4711 reports a deviation' }, { verdict: 'inconclusive', severity: 'high' }],
])('judges "%s", which no third party knows, by its content', async (alert_type, content, expected) => {
  const sent = await service.sendAlert({ alert_type, alert_content: typeof content === 'string' ? content : JSON.stringify(content) });
  await service.waitForStatus(sent.alert_id, 15);
  const found = await service.readCase(sent.alert_id);
  expect(found).toMatchObject(expected);
  expect(found.severity_reasons).toEqual([`The verdict is ${found.verdict}`, expect.any(String), ...found.severity_reasons.slice(2)]);
  const findings = found.evidence.filter(({ points }) => points > 0).map(({ title }) => title);
  if (found.verdict === 'suspicious') expect(findings).toEqual([expect.stringMatching(/^Behaviour: /)]);
});

it('gives an alert about a vulnerability the severity that a third party knows', async () => {
  const { vulnerabilities } = thirdParties.standIns.endpointDetection.state;
  const cve = 'CVE-2026-7007';
  const unproven = { publicExploit: null, exploitVerified: null, exploitInKit: null };
  vulnerabilities.push({ ...vulnerabilities[0], ...unproven, id: cve, name: cve, cvssV3: 9.8, epss: 0.02 });
  const sent = await service.sendAlert({ alert_type: 'Vulnerable library', alert_content: `${cve} in a library` });
  await service.waitForStatus(sent.alert_id, 15);
  expect(await service.readCase(sent.alert_id)).toMatchObject({
    severity: 'high',
    severity_reasons: ['The verdict is inconclusive', 'The vulnerability has a CVSS score of 9.8'],
  });
});

it('gives an alert about an important machine of the organization a higher severity', async () => {
  const entry = { kind: 'important-machine', value: 'erp-07', note: 'Payments' };
  await service.request('POST', '/platformapi/organizations/DEMO/knowledge', { body: entry });
  const severityOf = async (host: string) => {
    const sent = await service.sendAlert({ alert_type: 'Unexplained', alert_content: `host=${host} deviates` });
    await service.waitForStatus(sent.alert_id, 15);
    return service.readCase(sent.alert_id);
  };
  expect(await severityOf('erp-08')).toMatchObject({ verdict: 'inconclusive', severity: 'low' });
  expect(await severityOf('erp-07')).toMatchObject({
    severity: 'medium',
    severity_reasons: ['The verdict is inconclusive', 'The alert names the important machine erp-07'],
  });
});

it('asks Retrieve Events about SHA-256 hashes only', async () => {
  const content = `files ${'ab'.repeat(16)} ${'cd'.repeat(20)} ${'ef'.repeat(32)}`;
  const sent = await service.sendAlert({ alert_type: 'Hashes of the frobnicator', alert_content: content });
  await service.waitForStatus(sent.alert_id, 15);
  const { evidence } = await service.readCase(sent.alert_id);
  expect(evidence.filter(({ kind, source }) => kind === 'gap' && source?.skill_id === 'Retrieve Events')).toEqual([]);
  const asked = await service.database.pg`
    select input ->> 'detection_sha256' as hash from skill_results join alerts using (alert_uuid)
    where alert_id = ${sent.alert_id} and skill_key = 'malwareProtection.retrieveEvents'`;
  expect(asked).toEqual([{ hash: 'ef'.repeat(32) }]);
});

it('judges the whole of a large answer, also if the service uses it again', async () => {
  const { state } = thirdParties.standIns.malwareProtection;
  const story = state.events;
  const at = Math.floor(Date.now() / 1000);
  state.events = Array.from({ length: 50 }, (_, index) =>
    malwareEvent({
      id: BigInt(index + 1),
      type: index === 19 ? 'Executed malware' : 'Scan Started',
      at: at - index,
      computer: COMPUTERS[2],
      more: { detail: 'x'.repeat(2000) },
    }),
  );
  await service.forgetAnswers();
  const sent = await service.sendAlert({ alert_type: 'Trojan on a kiosk', alert_content: `host=${COMPUTERS[2].dnsName}` });
  await service.waitForStatus(sent.alert_id, 15);
  state.events = story;
  const ran = { kind: 'finding', points: 70, title: `Malware ran: ${COMPUTERS[2].dnsName}` };
  const first = await service.readCase(sent.alert_id);
  expect(first.evidence).toContainEqual(expect.objectContaining(ran));
  expect(first.evidence.filter(({ title }) => title === 'Retrieve Events: the list is incomplete')).toEqual([]);
  const again = await service.request('POST', `/platformapi/alerts/${sent.alert_id}/investigate`, { body: { reuse: true } });
  expect(again.status).toBe(202);
  await service.waitForStatus(sent.alert_id, 15);
  const { evidence } = await service.readCase(sent.alert_id);
  expect(evidence).toContainEqual(expect.objectContaining({ ...ran, source: expect.objectContaining({ reused: true }) }));
});

it('leaves gaps that name the connector without a connection, and fills them after it is connected', async () => {
  await service.request('POST', '/platformapi/organizations', { body: { organization_code: 'BARE', name: 'Bare Ltd' } });
  const alert = { organization_code: 'BARE', alert_type: 'Zorbing of the frobnicator', alert_content: `seen ${INDICATORS.maliciousIp}` };
  const first = await service.sendAlert(alert);
  await service.waitForStatus(first.alert_id, 15);
  const before = await service.readCase(first.alert_id);
  const isGap = ({ kind, reason }: { kind: string; reason: string }) => kind === 'gap' && reason.includes('Threat intelligence platform');
  expect(before.evidence.filter(isGap)).toHaveLength(1);
  expect(before.verdict).toBe('inconclusive');
  await createConnection(service, { organization_code: 'BARE', instance_name: 'intel', ...thirdParties.connections.threatIntelligence });
  const second = await service.sendAlert({ ...alert, alert_content: `again ${INDICATORS.maliciousIp}` });
  await service.waitForStatus(second.alert_id, 15);
  const after = await service.readCase(second.alert_id);
  expect(after.evidence.filter(isGap)).toEqual([]);
  expect(after.score).toBeGreaterThan(before.score ?? 0);
});

it('proposes actions when the evidence is clear, and sends none without approval', async () => {
  const { state } = thirdParties.standIns.endpointDetection;
  const before = { actions: state.actions.length, indicators: state.indicators.length };
  const sent = await service.sendAlert({ alert_type: 'Trojan on a kiosk', alert_content: contentWithEverything(thirdParties) });
  await service.waitForStatus(sent.alert_id, 15);
  expect((await service.readCase(sent.alert_id)).verdict).toBe('malicious');
  const { body } = await service.request<{ items: Proposal[] }>('GET', '/platformapi/proposals?limit=200');
  const proposals = body.items;
  const asked = proposals.map(({ skill_id, input }) => `${skill_id} ${input['machine_id'] ?? input['indicator_value']}`);
  expect(asked).toEqual(
    expect.arrayContaining([
      `Isolate machine ${COMPUTERS[0].machineId}`,
      `Create indicator ${INDICATORS.maliciousIp}`,
      `Create indicator ${INDICATORS.maliciousUrl}`,
      `Create indicator ${INDICATORS.malwareSha256}`,
    ]),
  );
  // The alert of the first test proposed some of the same actions.
  expect(new Set(asked).size).toBe(asked.length);
  expect(proposals.every((proposal) => proposal.state === 'waiting' && proposal.reason.length > 20)).toBe(true);
  expect(proposals.find(({ skill_id }) => skill_id === 'Isolate machine')?.release_after_hours).toBe(24);
  expect({ actions: state.actions.length, indicators: state.indicators.length }).toEqual(before);
});

it('proposes no action when the evidence is insufficient', async () => {
  const sent = await service.sendAlert({ alert_type: 'Trojan on a kiosk', alert_content: `host=${COMPUTERS[3].dnsName}` });
  await service.waitForStatus(sent.alert_id, 15);
  const { proposals, verdict } = await service.readCase(sent.alert_id);
  expect(verdict).not.toBe('malicious');
  expect(proposals).toEqual([]);
});

it('keeps the plan version of the start while the plan is edited', async () => {
  const alert = { alert_type: 'Edited meanwhile', alert_content: `seen ${INDICATORS.maliciousIp}` };
  await service.forgetAnswers();
  await service.stopWorker();
  const first = await service.sendAlert(alert);
  await service.waitForStatus(first.alert_id, 5);
  const [made] = await service.database.pg<{ id: string; plan: Plan }[]>`
    select playbook_uuid as id, plan from playbook_alert_types join playbooks using (playbook_uuid) join playbook_plans using (playbook_uuid, version)
    where alert_type = 'Edited meanwhile'`;
  const plan = { steps: (made?.plan.steps ?? []).filter((step) => step.do !== 'ask' && step.do !== 'propose') };
  const edited = await service.request('PUT', `/platformapi/playbooks/${made?.id}/plan`, { body: { made_from: 1, plan } });
  expect(edited).toMatchObject({ status: 200, body: { version: 2 } });
  await service.startWorker();
  await service.waitForStatus(first.alert_id, 15);
  const second = await service.sendAlert(alert);
  await service.waitForStatus(second.alert_id, 15);
  const begun = await service.database.pg<{ alert_version: number; version: number; asked: number }[]>`
    select alerts.plan_version as alert_version, investigations.plan_version as version,
      (select count(*)::int from skill_results where skill_results.alert_uuid = alerts.alert_uuid) as asked
    from alerts join investigations using (alert_uuid) where alert_type = 'Edited meanwhile' order by alert_uuid`;
  expect(begun).toMatchObject([
    { alert_version: 1, version: 1, asked: expect.any(Number) },
    { alert_version: 2, version: 2, asked: 0 },
  ]);
  expect(begun[0]?.asked).toBeGreaterThan(0);
});

it('replays without errors', async () => {
  expect(await replayAll(service)).toBeGreaterThanOrEqual(3);
});
