import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMPUTERS, INDICATORS, PEOPLE } from '../../local/third-parties/company.js';
import { startThirdParties, type ThirdParties } from '../../local/third-parties/index.js';
import { replayAll, startTestService, type TestService } from '../support/service.js';

const folder = mkdtempSync(path.join(tmpdir(), 'alert-investigator-generated-'));
let service: TestService;
let thirdParties: ThirdParties;

beforeAll(async () => {
  thirdParties = await startThirdParties();
  const caFile = path.join(folder, 'ca.pem');
  writeFileSync(caFile, thirdParties.caPem);
  service = await startTestService({ env: { EGRESS_ALLOW: thirdParties.allow.join(','), EGRESS_CA_FILE: caFile } });
  for (const [name, fields] of Object.entries(thirdParties.connections)) {
    const body = { organization_code: 'DEMO', instance_name: name, ...fields };
    expect(await service.request('POST', '/platformapi/connections', { body })).toMatchObject({ status: 201 });
  }
});
afterAll(async () => {
  await service.stop();
  await thirdParties.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Names something of every kind that a connector knows. */
function everything(): string {
  const [incident] = thirdParties.standIns.incidentSource.state.incidents;
  return [
    `host=${COMPUTERS[0].dnsName} user=${PEOPLE[0].email} ${INDICATORS.maliciousIp} ${INDICATORS.maliciousUrl}`,
    `sha256 ${INDICATORS.malwareSha256} ${INDICATORS.exploitedCve} incident_id=${incident?.['incidentId']}`,
  ].join('\n');
}

it('asks every connector that can speak about an alert of a type never seen, and explains itself', async () => {
  const sent = await service.sendAlert({ alert_type: 'Zorbing of the frobnicator', alert_content: everything() });
  const done = await service.waitForStatus(sent.alert_id, 15, 20);
  expect(done.investigation_status).toBe(15);
  const opened = await service.caseOf(sent.alert_id);
  const spoke = new Set(opened.evidence.flatMap((entry) => (entry.source ? [entry.source.connector] : [])));
  expect([...spoke].sort()).toEqual(expect.arrayContaining(['endpoint-detection', 'malware-protection', 'threat-intelligence']));
  expect(opened.verdict).toBe('malicious');
  expect(opened.evidence.some((entry) => entry.techniques.length > 0)).toBe(true);
  const asked = await service.database.sql<{ connector: string }[]>`
    select distinct connector from skill_results join alerts using (alert_uuid) where alert_id = ${sent.alert_id}`;
  expect(asked.map((row) => row.connector).sort()).toEqual([
    'endpoint-detection',
    'incident-source',
    'malware-protection',
    'threat-intelligence',
    'travel-booking',
    'vulnerability-investigation',
  ]);
  const [playbook] = await service.database.sql<{ plan: { steps: { why: string }[] } }[]>`
    select plan from playbooks where name = 'Zorbing of the frobnicator'`;
  expect(playbook?.plan.steps.every((step) => step.why.length > 20)).toBe(true);
});

it('leaves gaps that name the connector where the organization has no connection, and fills them once it has', async () => {
  await service.request('POST', '/platformapi/organizations', { body: { organization_code: 'BARE', name: 'Bare Ltd' } });
  const alert = { organization_code: 'BARE', alert_type: 'Zorbing of the frobnicator', alert_content: `seen ${INDICATORS.maliciousIp}` };
  const first = await service.sendAlert(alert);
  await service.waitForStatus(first.alert_id, 15);
  const before = await service.caseOf(first.alert_id);
  expect(before.evidence.find((entry) => entry.kind === 'gap')?.reason).toContain('Threat intelligence platform');
  expect(before.verdict).toBe('inconclusive');
  const body = { organization_code: 'BARE', instance_name: 'intel', ...thirdParties.connections.threatIntelligence };
  await service.request('POST', '/platformapi/connections', { body });
  const second = await service.sendAlert({ ...alert, alert_content: `again ${INDICATORS.maliciousIp}` });
  await service.waitForStatus(second.alert_id, 15);
  const after = await service.caseOf(second.alert_id);
  expect(after.evidence.some((entry) => entry.kind === 'gap')).toBe(false);
  expect(after.score).toBeGreaterThan(before.score ?? 0);
});

it('replays', async () => {
  expect(await replayAll(service)).toBeGreaterThanOrEqual(3);
});
