import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { StandIn } from '../../connectors/kit/stand-in/stand-in.js';
import type { MalwareProtectionStandInState } from '../../connectors/malware-protection/stand-in.js';
import type { ThreatIntelligenceStandInState } from '../../connectors/threat-intelligence/stand-in.js';
import { pauseConnection } from '../../db/connections/connection-calls.js';
import type { CaseDetail } from '../../domain/case/case.js';
import { askAgainWorkflowId } from '../../domain/investigation/investigation.js';
import { ago, changeConnections, changeFollowUps, fromNow, storeEndedFollowUps } from '../support/rows.js';
import { replayAll, type TestService, waitFor } from '../support/service.js';
import { createConnection, startWithThirdParties, type WithThirdParties } from '../support/with-third-parties.js';

const ENRICHING = 'Testbed enriching';
const HTML = { headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Maintenance</title>' };
const MORE_THAN_8_MIB = 9 * 1024 * 1024;
const asksAboutAddress = ({ url }: { url: string }) => url.startsWith('/v2/ip');

let started: WithThirdParties;
let service: TestService;
let intelligence: StandIn<ThreatIntelligenceStandInState>;
let malware: StandIn<MalwareProtectionStandInState>;
let connectionId: string;

beforeAll(async () => {
  started = await startWithThirdParties({
    env: { INVESTIGATION_MAX_RETRIES: '0' },
    // The tests start each pass.
    reconcile: { everySeconds: 86_400, untouchedForSeconds: 120 },
  });
  service = started.service;
  ({ threatIntelligence: intelligence, malwareProtection: malware } = started.thirdParties.standIns);
  connectionId = await createConnection(service, { instance_name: 'Intelligence', ...started.thirdParties.connections.threatIntelligence });
  await createConnection(service, { instance_name: 'Malware', ...started.thirdParties.connections.malwareProtection });
  await createConnection(service, { instance_name: 'Endpoints', ...started.thirdParties.connections.endpointDetection });
});
afterEach(async () => {
  intelligence.faults.clear();
  malware.faults.clear();
  await service.forgetAnswers();
  await changeConnections(service, {}, { failuresInARow: 0, throttledInARow: 0, blockedUntil: null });
});
afterAll(() => started?.stop());

async function investigate(alert: Parameters<TestService['sendAlert']>[0]): Promise<{ alertId: string; detail: CaseDetail }> {
  const { alert_id: alertId } = await service.sendAlert(alert);
  await service.waitForStatus(alertId, 15, 20);
  return { alertId, detail: await service.readCase(alertId) };
}

const listGaps = ({ evidence }: CaseDetail) =>
  evidence.filter(({ kind }) => kind === 'gap').map(({ title, reason }) => `${title}. ${reason}`);

async function findFollowUps(alertId: string) {
  return service.database.pg<{ minutes: number; outcome: string | null; reason: string }[]>`
    select extract(epoch from due_at - follow_ups.created_at)::float8 / 60 as minutes, outcome, reason
    from follow_ups join alerts using (alert_uuid) where alert_id = ${alertId} order by follow_ups.investigation_no`;
}

/** Moves the plan and all earlier events into the past: an answer counts only if it is later than the plan, in seconds. */
async function waitUntilPlanIsOlder(alertId: string): Promise<void> {
  await changeConnections(service, {}, { testedAt: sql`tested_at - interval '1 hour'` });
  const { alert_uuid: alertUuid } = await service.readAlert(alertId);
  await changeFollowUps(service, { alertUuid }, { createdAt: sql`created_at - interval '5 seconds'` });
}

const reconcile = () =>
  service.temporal.workflow.execute('reconcile', {
    taskQueue: service.settings.TEMPORAL_TASK_QUEUE,
    workflowId: `test-${randomUUID()}`,
  });

const waitForInvestigation = (alertId: string, investigationNo: number) =>
  waitFor(`investigation ${investigationNo} of ${alertId}`, async () => {
    const detail = await service.readCase(alertId);
    const [newest] = detail.investigations;
    return newest?.investigation_no === investigationNo && newest.status === 'Completed' ? detail : null;
  });

describe('a third party that cannot answer', () => {
  it('with HTML instead of JSON leaves a gap, and its question is asked again when it answers', async () => {
    intelligence.faults.next({ match: asksAboutAddress, ...HTML, times: 100 });
    const { alertId, detail } = await investigate({ alert_type: ENRICHING });
    expect(detail).toMatchObject({ verdict: 'inconclusive', investigations: [{ status: 'Completed' }] });
    expect(listGaps(detail)).toEqual([expect.stringContaining('Get Enrichment: no answer. localhost sent a reply that is not JSON')]);
    expect(detail.timeline.filter(({ kind }) => kind === 'follow-up')).toMatchObject([
      { text: expect.stringContaining('no answer to Get Enrichment (Intelligence)') },
    ]);
    const planned = await findFollowUps(alertId);
    expect(planned).toMatchObject([{ outcome: null }]);
    expect(planned[0]?.minutes).toBeGreaterThanOrEqual(5);
    expect(planned[0]?.minutes).toBeLessThanOrEqual(6);
    expect((await service.temporal.workflow.getHandle(askAgainWorkflowId({ alertId, investigationNo: 1 })).describe()).status.name).toBe(
      'RUNNING',
    );
    await service.request('PATCH', `/platformapi/cases/${detail.case_id}`, { body: { status: 'closed' } });

    // Another question of the same skill shows that the third party answers again.
    await waitUntilPlanIsOlder(alertId);
    await reconcile();
    expect(await findFollowUps(alertId)).toMatchObject([{ outcome: null }]);
    intelligence.faults.clear();
    await investigate({ alert_type: ENRICHING });
    const listed = intelligence.requests.filter(({ url }) => url.startsWith('/alert/v3')).length;
    await reconcile();
    const after = await waitForInvestigation(alertId, 2);
    expect(after).toMatchObject({ status: 'open', verdict: 'suspicious' });
    expect(listGaps(after)).toEqual([]);
    expect(await findFollowUps(alertId)).toMatchObject([{ outcome: 'Requested investigation 2.' }]);
    // The answer of the other skill is used again.
    expect(intelligence.requests.filter(({ url }) => url.startsWith('/alert/v3')).length).toBe(listed);
  });

  it('is asked again early when a test of its connection passes', async () => {
    intelligence.faults.next({ match: asksAboutAddress, ...HTML, times: 100 });
    const { alertId } = await investigate({ alert_type: ENRICHING });
    intelligence.faults.clear();
    const test = await service.request('POST', `/platformapi/connections/${connectionId}/test`);
    expect(test).toMatchObject({ status: 200, body: { ok: true } });
    expect(await waitForInvestigation(alertId, 2)).toMatchObject({ verdict: 'suspicious' });
  });

  it('with a reply of more than 8 MiB leaves a gap, and another answer does not start its follow-up early', async () => {
    intelligence.faults.next({ match: asksAboutAddress, hugeBytes: MORE_THAN_8_MIB, times: 1 });
    const { alertId, detail } = await investigate({ alert_type: ENRICHING });
    expect(detail.investigations).toMatchObject([{ status: 'Completed' }]);
    expect(listGaps(detail)).toEqual([expect.stringContaining('Get Enrichment: no answer. localhost sent a reply of more than')]);
    await waitUntilPlanIsOlder(alertId);
    await investigate({ alert_type: ENRICHING });
    await reconcile();
    expect(await findFollowUps(alertId)).toMatchObject([{ outcome: null }]);
  });

  it('that is down or does not reply costs an investigation about a minute', async () => {
    intelligence.faults.next({ status: 500, body: 'down', times: 10_000 });
    malware.faults.next({ latencyMs: 300_000, times: 10_000 });
    const beganMs = Date.now();
    const { detail } = await investigate({
      alert_type: 'Malware on the host',
      alert_content: `host=hr-ws-014 sha256=${'ab'.repeat(32)} from 203.0.113.66`,
    });
    const seconds = (Date.now() - beganMs) / 1000;
    expect(detail.investigations).toMatchObject([{ status: 'Completed' }]);
    const gaps = listGaps(detail).join('\n');
    expect(gaps).toMatch(/Get Enrichment: no answer\. (The connection is paused: it failed \d+ times in a row|Outage or rate limiting)/);
    expect(gaps).toMatch(
      /Retrieve Events: no answer\. (The call to localhost failed: it did not reply in time|The third party used up the \d+ seconds)/,
    );
    expect(detail.evidence.filter(({ source }) => source?.connection === 'Endpoints').map(({ kind }) => kind)).not.toContain('gap');
    expect(seconds).toBeGreaterThan(40);
    expect(seconds).toBeLessThan(120);
    // The connections are known to be down, so the next investigation neither asks them nor waits for them.
    const againMs = Date.now();
    const countRequests = () => intelligence.requests.length + malware.requests.length;
    const before = countRequests();
    const blocked = { blockedUntil: fromNow({ seconds: 200 }), failuresInARow: 9 };
    for (const instanceName of ['Intelligence', 'Malware']) await changeConnections(service, { instanceName }, blocked);
    const { detail: second } = await investigate({ alert_type: 'Malware on the host', alert_content: 'host=hr-ws-014 from 203.0.113.67' });
    expect(countRequests()).toBe(before);
    expect((Date.now() - againMs) / 1000).toBeLessThan(20);
    expect(second.investigations).toMatchObject([{ status: 'Completed' }]);
  });

  it('fails an investigation only if no question got an answer, and is asked again', async () => {
    await service.request('POST', '/platformapi/organizations', { body: { organization_code: 'ONE', name: 'One Ltd' } });
    await createConnection(service, {
      organization_code: 'ONE',
      instance_name: 'Only',
      ...started.thirdParties.connections.threatIntelligence,
    });
    intelligence.faults.next({ ...HTML, times: 100 });
    const { alertId, detail } = await investigate({ alert_type: ENRICHING, organization_code: 'ONE' });
    expect(detail.investigations).toMatchObject([{ status: 'Failed' }]);
    expect(detail.summary).toMatch(/No question has an answer\. Get Enrichment: no answer: .*not JSON/);
    expect(await findFollowUps(alertId)).toMatchObject([{ outcome: null, reason: expect.stringContaining('(Only)') }]);
    intelligence.faults.clear();
    await service.temporal.workflow.execute('followUp', {
      workflowId: `now-${alertId}`,
      taskQueue: service.settings.TEMPORAL_TASK_QUEUE,
      args: [{ alertId, investigationNo: 1 }],
    });
    expect(await waitForInvestigation(alertId, 2)).toMatchObject({ verdict: 'suspicious' });
  });

  it('is asked again later each time, and not without end', async () => {
    intelligence.faults.next({ match: asksAboutAddress, ...HTML, times: 100 });
    const { alertId } = await investigate({ alert_type: ENRICHING });
    for (let investigationNo = 1; investigationNo <= 4; investigationNo += 1) {
      await service.temporal.workflow.execute('followUp', {
        workflowId: `now-${alertId}-${investigationNo}`,
        taskQueue: service.settings.TEMPORAL_TASK_QUEUE,
        args: [{ alertId, investigationNo }],
      });
      await waitForInvestigation(alertId, investigationNo + 1);
    }
    const minutes = (await findFollowUps(alertId)).map((row) => row.minutes);
    for (const [index, planned] of [5, 15, 60, 240, 1440].entries()) {
      expect(minutes[index]).toBeGreaterThanOrEqual(planned);
      expect(minutes[index]).toBeLessThanOrEqual(planned * 1.21);
    }
    await storeEndedFollowUps(service, alertId, 5, { waitsFor: [] });
    await service.request('POST', `/platformapi/alerts/${alertId}/investigate`);
    await waitForInvestigation(alertId, 6);
    expect((await findFollowUps(alertId)).filter(({ outcome }) => outcome === null)).toHaveLength(1);
  });
});

describe('a reply 429 without Retry-After', () => {
  const readPause = async () => {
    const [row] = await service.database.pg<{ seconds: number }[]>`
      select extract(epoch from blocked_until - now())::float8 as seconds from connections where connection_uuid = ${connectionId}`;
    return row?.seconds ?? 0;
  };
  const refuse = (seconds: number | null) => pauseConnection(service.database.pg, connectionId, seconds, 'slow down');
  const endPause = () => changeConnections(service, { connectionUuid: connectionId }, { blockedUntil: ago({ seconds: 1 }) });

  it('pauses the connection, twice as long each time, with jitter and a limit', async () => {
    for (const expected of [5, 10, 20, 40, 80, 160, 300, 300]) {
      await refuse(null);
      // The replies to other calls that were under way change nothing.
      await refuse(null);
      const seconds = await readPause();
      expect(seconds).toBeGreaterThan(expected * 0.74);
      expect(seconds).toBeLessThan(expected * 1.26);
      await endPause();
    }
    await refuse(90);
    expect(await readPause()).toBeCloseTo(90, 0);
  });

  it('delays the question, and a success ends the back-off', async () => {
    intelligence.faults.next({ match: asksAboutAddress, status: 429, body: { message: 'slow down' } });
    const { detail } = await investigate({ alert_type: ENRICHING });
    expect(listGaps(detail)).toEqual([]);
    expect(detail.verdict).toBe('suspicious');
    const [row] = await service.database.pg`select throttled_in_a_row as count from connections where connection_uuid = ${connectionId}`;
    expect(row?.['count']).toBe(0);
  });

  it('that never ends becomes a gap', async () => {
    await refuse(3600);
    const { detail } = await investigate({ alert_type: 'Malware on the host', alert_content: 'host=hr-ws-014 from 203.0.113.68' });
    expect(detail.investigations).toMatchObject([{ status: 'Completed' }]);
    expect(listGaps(detail).join('\n')).toContain('Get Enrichment: no answer. The connection is paused: slow down');
  });
});

it('leaves histories that replay', async () => {
  expect(await replayAll(service)).toBeGreaterThan(10);
});
