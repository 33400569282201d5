import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { runAgent } from '../../../agent/agent.js';
import { catalogue } from '../../../connectors/catalogue.js';
import type { EndpointDetectionStandInState } from '../../../connectors/endpoint-detection/stand-in.js';
import { implementations } from '../../../connectors/implementations.js';
import { defineIncidentSourceStandIn, type IncidentSourceStandInState } from '../../../connectors/incident-source/stand-in.js';
import { Egress } from '../../../connectors/kit/egress.js';
import { createAuthority, type StandIn, startStandIn } from '../../../connectors/kit/stand-in/stand-in.js';
import type { ConnectionFields, StandIns } from '../../../connectors/stand-ins.js';
import type { ThreatIntelligenceStandInState } from '../../../connectors/threat-intelligence/stand-in.js';
import { findFeed } from '../../../db/sources/sources.js';
import type { AlertListItem } from '../../../domain/alert/alert.js';
import type { PollReport, SourceItem } from '../../../domain/alert/intake-source.js';
import type { Connection } from '../../../services/connections/wire.js';
import { asService } from '../../../services/context.js';
import { ensureProvider } from '../../../services/providers/ensure.js';
import { schedulePolls } from '../../../services/sources/schedule-polls.js';
import { takeItem } from '../../../services/sources/take-item.js';
import { log, type TestService, waitFor } from '../../support/service.js';
import { createConnection, startWithThirdParties, type WithThirdParties } from '../../support/with-third-parties.js';

/** Lists of the endpoint platform end after ten items, so that a few alerts exceed the limit. */
const MAX_LISTED = 10;
const skills = {
  catalogue,
  implementations: {
    ...implementations,
    endpointDetection: {
      ...implementations.endpointDetection,
      skills: {
        ...implementations.endpointDetection.skills,
        listAlerts: (...[input, context]: Parameters<typeof implementations.endpointDetection.skills.listAlerts>) =>
          implementations.endpointDetection.skills.listAlerts({ ...input, max_items: MAX_LISTED }, context),
      },
    },
  },
};

let service: TestService;
let incidents: StandIn<IncidentSourceStandInState>;
let endpoint: StandIn<EndpointDetectionStandInState>;
let intelligence: StandIn<ThreatIntelligenceStandInState>;
let vulnerabilities: StandIns['vulnerabilityInvestigation'];
let vulnerabilityConnection: ConnectionFields;
let stop: WithThirdParties['stop'];

beforeAll(async () => {
  const started = await startWithThirdParties({
    skills,
    // The tests trigger each poll. A scheduled pass would poll in between.
    reconcile: { everySeconds: 86_400, untouchedForSeconds: 120 },
  });
  ({ service, stop } = started);
  ({ incidentSource: incidents, endpointDetection: endpoint, threatIntelligence: intelligence } = started.thirdParties.standIns);
  vulnerabilities = started.thirdParties.standIns.vulnerabilityInvestigation;
  vulnerabilityConnection = started.thirdParties.connections.vulnerabilityInvestigation;
});
afterAll(() => stop?.());

/** Most tests only take alerts in. Alerts with a lease wait in the outbox, so no investigation asks the stand-ins. */
const holdNewAlerts = () => service.database.pg`alter table alerts alter column lease_until set default now() + interval '1 hour'`;
const investigateNewAlerts = () => service.database.pg`alter table alerts alter column lease_until drop default`;

beforeEach(async () => {
  await holdNewAlerts();
  incidents.state.identity.recentMs = [];
  incidents.state.identity.requestsPerMinute = 1000;
  incidents.state.incidents.length = 0;
  incidents.state.pageSize = 100;
  incidents.state.afterPage = () => {};
  for (const standIn of [incidents, endpoint, intelligence]) {
    standIn.faults.clear();
    standIn.requests.length = 0;
  }
});

type Tenant = StandIn<Pick<IncidentSourceStandInState, 'identity'>>;
const tenantCredentials = ({ state: { identity } }: Tenant) => ({
  tenant_id: identity.tenantId,
  client_id: identity.clientId,
  client_secret: identity.clientSecret,
});

type Fields = Record<string, string>;
const connect = (connector: string, settings: Fields, credentials: Fields, more: { remote_agent?: string } = {}) =>
  createConnection(service, {
    connector,
    instance_name: `${connector} ${randomUUID()}`,
    settings,
    credentials,
    feeds_intake: true,
    ...more,
  });

const connectIncidents = () =>
  connect(
    'incident-source',
    { auth_url: incidents.url, api_host: incidents.url, scope_resource: incidents.state.identity.resource },
    tenantCredentials(incidents),
  );

async function poll(connectionId: string): Promise<PollReport> {
  return service.temporal.workflow.execute('pollSource', {
    taskQueue: service.settings.TEMPORAL_TASK_QUEUE,
    workflowId: `test-${randomUUID()}`,
    args: [{ connectionId }],
  });
}

const NOW = () => Date.now();
const MINUTE_MS = 60_000;

/** Adds an incident that was created and last changed this long ago by the third party's clock. */
function report(incidentId: number, ms: number, more: Record<string, unknown> = {}): void {
  const at = new Date(NOW() - ms).toISOString();
  incidents.state.incidents.push({
    incidentId,
    incidentName: `Incident ${incidentId}`,
    createdTime: at,
    lastUpdateTime: at,
    status: 'Active',
    severity: 'Medium',
    alerts: [{ alertId: `a${incidentId}`, category: 'Malware', severity: 'Medium', status: 'New' }],
    ...more,
  });
}

function change(incidentId: number, changes: Record<string, unknown>): void {
  const index = incidents.state.incidents.findIndex((incident) => incident.incidentId === incidentId);
  const [incident] = incidents.state.incidents.splice(index, index < 0 ? 0 : 1);
  if (incident) incidents.state.incidents.push({ ...incident, lastUpdateTime: new Date(NOW()).toISOString(), ...changes });
}

interface Taken {
  source_id: string;
  alert_id: string;
  alert_type: string;
  created_by: string;
  content: string;
}
const takenFrom = (connectionId: string) => service.database.pg<Taken[]>`
  select source_id, alert_id, alert_type, created_by, alert_content as content from source_items join alerts using (alert_uuid)
  where connection_uuid = ${connectionId} order by source_id`;
const listSourceIds = async (connectionId: string) => (await takenFrom(connectionId)).map((row) => row.source_id);
/** Counts all alerts that the connection created, including those without a source record. */
async function alertsBy(connectionId: string): Promise<number> {
  const [row] = await service.database.pg<
    { count: number }[]
  >`select count(*)::int as count from alerts where created_by = ${connectionId}`;
  return row?.count ?? 0;
}
async function readWatermark(connectionId: string) {
  const [row] = await service.database.pg<{ ms: number; last_error: string | null }[]>`
    select extract(epoch from read_until)::float8 * 1000 as ms, last_error from source_watermarks where connection_uuid = ${connectionId}`;
  if (!row) throw new Error('no watermark');
  return row;
}
const scheduleHandle = (connectionId: string) => service.temporal.schedule.getHandle(`source-${connectionId}`);
const schedule = () => schedulePolls({ pg: service.database.pg, client: service.temporal }, service.settings.TEMPORAL_TASK_QUEUE);

it('creates one alert for each incident of the last day, with the source as its sender, and investigates it', async () => {
  await investigateNewAlerts();
  report(1, 3 * 60 * MINUTE_MS);
  report(2, MINUTE_MS);
  report(3, 48 * 60 * MINUTE_MS);
  report(4, MINUTE_MS, { status: 'Redirected', redirectIncidentId: 1, alerts: [] });
  const connectionId = await connectIncidents();
  expect(await poll(connectionId)).toEqual({ taken: 2, noted: 0, ended: null });
  expect(await poll(connectionId)).toEqual({ taken: 0, noted: 0, ended: null });
  const taken = await takenFrom(connectionId);
  expect(taken).toMatchObject([
    { source_id: '1', alert_type: 'Incident: Malware', created_by: connectionId },
    { source_id: '2', alert_type: 'Incident: Malware', created_by: connectionId },
  ]);
  for (const { alert_id: alertId } of taken) {
    const alert = await service.waitForStatus(alertId, 15);
    expect(alert).toMatchObject({ alert_provider: 'incident-source', organization_code: 'DEMO' });
    expect(JSON.parse(alert.alert_content)).toMatchObject({ incidentName: expect.stringContaining('Incident') });
  }
  const [audit] = await service.database.pg`select principal_name from audit_log where principal_uuid = ${connectionId} limit 1`;
  expect(audit?.['principal_name']).toMatch(/^source incident-source /);
});

it('adds a comment to the case instead of creating a second alert when an incident changes', async () => {
  await investigateNewAlerts();
  report(10, 5 * MINUTE_MS);
  const connectionId = await connectIncidents();
  await poll(connectionId);
  const [taken] = await takenFrom(connectionId);
  const { alert_id: alertId } = await service.waitForStatus(taken?.alert_id ?? '', 15);
  change(10, { status: 'Resolved', classification: 'TruePositive' });
  expect(await poll(connectionId)).toEqual({ taken: 0, noted: 1, ended: null });
  expect(await poll(connectionId)).toEqual({ taken: 0, noted: 0, ended: null });
  change(10, { status: 'Redirected', redirectIncidentId: 77, alerts: [] });
  expect(await poll(connectionId)).toMatchObject({ noted: 1 });
  const comments = (await service.readCase(alertId)).timeline.filter(({ kind }) => kind === 'comment');
  expect(comments).toMatchObject([
    { by: null, text: 'Incident 10 changed at its source: status Resolved, severity Medium, classification TruePositive, alerts 1.' },
    { by: null, text: 'Incident 10 was merged into incident 77.' },
  ]);
  expect(await alertsBy(connectionId)).toBe(1);
});

it('stores each incident once while pages shift', async () => {
  for (let id = 100; id < 112; id += 1) report(id, 120 * MINUTE_MS - id * 1000);
  incidents.state.pageSize = 3;
  let next = 200;
  incidents.state.afterPage = () => {
    if (next < 206) report(next, 0);
    // One incident that was read and one that was not move to the front.
    change(next - 100, { severity: 'High' });
    change(311 - next, { severity: 'Low' });
    next += 1;
  };
  const connectionId = await connectIncidents();
  await poll(connectionId);
  incidents.state.afterPage = () => {};
  await poll(connectionId);
  const expected = incidents.state.incidents.map(({ incidentId }) => String(incidentId)).sort();
  expect(expected.length).toBeGreaterThan(12);
  expect(await listSourceIds(connectionId)).toEqual(expected);
  expect(await alertsBy(connectionId)).toBe(expected.length);
});

it('advances the watermark only after it stores the whole window', async () => {
  for (let id = 300; id < 306; id += 1) report(id, (400 - id) * MINUTE_MS);
  incidents.state.pageSize = 2;
  const connectionId = await connectIncidents();
  incidents.faults.next({ match: ({ url }) => url.includes('skip=4'), times: 2, status: 503, body: 'away' });
  expect(await poll(connectionId)).toMatchObject({ taken: 0, ended: expect.stringContaining('HTTP 503') });
  const before = await readWatermark(connectionId);
  expect(before.ms).toBeLessThan(NOW() - 23 * 60 * MINUTE_MS);
  expect(before.last_error).toContain('HTTP 503');
  incidents.faults.clear();
  expect(await poll(connectionId)).toEqual({ taken: 6, noted: 0, ended: null });
  expect(await readWatermark(connectionId)).toMatchObject({ last_error: null });
});

it('continues after a worker that stopped mid-poll, without gaps or duplicates', async () => {
  for (let id = 400; id < 430; id += 1) report(id, MINUTE_MS);
  const connectionId = await connectIncidents();
  incidents.faults.next({ match: ({ url }) => url.startsWith('/api/incidents'), latencyMs: 2000 });
  const running = poll(connectionId);
  await waitFor('the request', async () => incidents.requests.some(({ url }) => url.startsWith('/api/incidents')));
  await service.stopWorker();
  await service.startWorker();
  await running;
  expect(await listSourceIds(connectionId)).toHaveLength(30);
  expect(await alertsBy(connectionId)).toBe(30);
});

it.each([
  ['an hour ahead of', -60 * MINUTE_MS],
  ['an hour behind', 60 * MINUTE_MS],
])('misses no incident of a third party whose clock is %s ours', async (_, skewMs) => {
  const connectionId = await connectIncidents();
  report(500, skewMs + 2 * MINUTE_MS);
  expect(await poll(connectionId)).toMatchObject({ taken: 1 });
  expect((await readWatermark(connectionId)).ms).toBeLessThanOrEqual(NOW());
  report(501, skewMs + MINUTE_MS);
  // The incident appears later than it happened.
  report(502, skewMs + 10 * MINUTE_MS);
  expect(await poll(connectionId)).toMatchObject({ taken: 2 });
  expect(await listSourceIds(connectionId)).toEqual(['500', '501', '502']);
});

it('reads new incidents after an item from the far future', async () => {
  const connectionId = await connectIncidents();
  report(510, -365 * 24 * 60 * MINUTE_MS);
  await poll(connectionId);
  report(511, 0);
  await poll(connectionId);
  expect(await listSourceIds(connectionId)).toEqual(['510', '511']);
});

it('ends when the third party asks to wait, and sends no request before', async () => {
  report(600, MINUTE_MS);
  const connectionId = await connectIncidents();
  incidents.faults.next({ match: ({ url }) => url.startsWith('/api/incidents'), status: 429, headers: { 'retry-after': '60' }, body: {} });
  expect(await poll(connectionId)).toMatchObject({ taken: 0, ended: expect.stringContaining('429') });
  const asked = incidents.requests.length;
  expect(await poll(connectionId)).toMatchObject({ ended: expect.stringContaining('The connection is paused') });
  expect(incidents.requests).toHaveLength(asked);
});

it('stops when credentials are rejected, and reads the missed incidents after the reconnect', async () => {
  const connectionId = await connectIncidents();
  await poll(connectionId);
  await schedule();
  expect((await scheduleHandle(connectionId).describe()).action).toMatchObject({ workflowType: 'pollSource', args: [{ connectionId }] });
  incidents.state.identity.clientSecret = 'rotated-client-secret';
  incidents.state.identity.tokens.clear();
  report(700, 30 * MINUTE_MS);
  await waitFor('the rejection', async () => (await poll(connectionId)).ended !== null);
  const read = async () => (await service.request<Connection>('GET', `/platformapi/connections/${connectionId}`)).body;
  expect(await read()).toMatchObject({ state: 'broken' });
  await waitFor('the schedule to be deleted', async () => {
    await schedule();
    return scheduleHandle(connectionId)
      .describe()
      .then(() => false)
      .catch(() => true);
  });
  const { client_secret } = tenantCredentials(incidents);
  await service.request('POST', `/platformapi/connections/${connectionId}/reconnect`, { body: { credentials: { client_secret } } });
  expect(await read()).toMatchObject({ state: 'working' });
  await schedule();
  // The new schedule runs at once.
  await waitFor('the incident', async () => (await listSourceIds(connectionId)).includes('700'));
  expect(await alertsBy(connectionId)).toBe(1);
});

it('has a schedule only for connections that feed the intake', async () => {
  const connectionId = await connectIncidents();
  // The pass that runs every minute does the same.
  await service.temporal.workflow.execute('reconcile', {
    taskQueue: service.settings.TEMPORAL_TASK_QUEUE,
    workflowId: `test-${randomUUID()}`,
  });
  const { spec, policies } = await scheduleHandle(connectionId).describe();
  expect([spec.intervals?.[0]?.every, policies.overlap]).toEqual([60_000, 'SKIP']);
  await schedule();
  await service.request('PATCH', `/platformapi/connections/${connectionId}`, { body: { feeds_intake: false } });
  await waitFor('the schedule to be deleted', async () => {
    await schedule();
    return scheduleHandle(connectionId)
      .describe()
      .then(() => false)
      .catch(() => true);
  });
  expect(await poll(connectionId)).toMatchObject({ ended: expect.stringContaining('does not feed the intake') });
});

it('does not change the schedules of another installation', async () => {
  const scheduleId = `source-${randomUUID()}`;
  const handle = await service.temporal.schedule.create({
    scheduleId,
    spec: {},
    action: { type: 'startWorkflow', workflowType: 'pollSource', taskQueue: 'elsewhere' },
    memo: { taskQueue: 'elsewhere' },
  });
  await waitFor('the list', async () => {
    for await (const each of service.temporal.schedule.list()) if (each.scheduleId === scheduleId) return true;
    return false;
  });
  await schedule();
  expect((await handle.describe()).scheduleId).toBe(scheduleId);
  await handle.delete();
});

it('reads all alerts of the endpoint platform when they exceed the list limit', async () => {
  const at = (index: number) => new Date(NOW() - 20 * 60 * MINUTE_MS + index * 20 * MINUTE_MS).toISOString();
  endpoint.state.alerts.length = 0;
  for (let index = 0; index < 57; index += 1)
    endpoint.state.alerts.push({
      id: `da${index}_1`,
      category: 'Malware',
      status: 'New',
      alertCreationTime: at(index),
      lastUpdateTime: at(index),
    });
  const connectionId = await connect(
    'endpoint-detection',
    { auth_url: endpoint.url, api_host: endpoint.url, scope_resource: endpoint.state.identity.resource },
    tenantCredentials(endpoint),
  );
  expect(await poll(connectionId)).toEqual({ taken: 57, noted: 0, ended: null });
  const [first] = await takenFrom(connectionId);
  expect(first?.alert_type).toBe('Endpoint alert: Malware');
});

const MORE_THAN_8_MIB = 9 * 1024 * 1024;
const listsIncidents = ({ url }: { url: string }) => url.startsWith('/api/incidents');

it('reads a page that is too large again in smaller pages', async () => {
  for (let id = 1; id <= 7; id += 1) report(id, id * MINUTE_MS);
  const asksForMany = ({ url }: { url: string }) => Number(new URL(url, 'https://x.example').searchParams.get('$top')) > 3;
  incidents.faults.next({
    match: (request) => listsIncidents(request) && asksForMany(request),
    hugeBytes: MORE_THAN_8_MIB,
    times: 1000,
  });
  const connectionId = await connectIncidents();
  expect(await poll(connectionId)).toEqual({ taken: 7, noted: 0, ended: null });
});

it('leaves out an item that is too large to read, and moves its watermark past it', async () => {
  for (let id = 1; id <= 5; id += 1) report(id, id * MINUTE_MS);
  // The third item is too large, and so is each page that contains it.
  const contains = ({ url }: { url: string }) => {
    const query = new URL(url, 'https://x.example').searchParams;
    const [top, skip] = [Number(query.get('$top')), Number(query.get('$skip') ?? 0)];
    return skip <= 2 && skip + top > 2;
  };
  incidents.faults.next({ match: (request) => listsIncidents(request) && contains(request), hugeBytes: MORE_THAN_8_MIB, times: 10_000 });
  const connectionId = await connectIncidents();
  expect(await poll(connectionId)).toEqual({ taken: 4, noted: 0, ended: 'Left out 1 of the items: each is too large to read.' });
  expect(await listSourceIds(connectionId)).toEqual(['1', '2', '4', '5']);
  expect((await readWatermark(connectionId)).ms).toBeGreaterThan(NOW() - 2 * MINUTE_MS);
});

it('reads the alerts of the intelligence platform', async () => {
  intelligence.state.alerts.length = 0;
  const hits = [{ fragment: 'harbour-reed.example', entities: [] }];
  const alert = { title: 'Mention', statusInPortal: 'New', hits };
  intelligence.state.alerts.push({ ...alert, id: 'one', triggeredMs: NOW() - MINUTE_MS });
  // The third party's clock is ahead of ours.
  intelligence.state.alerts.push({ ...alert, id: 'two', triggeredMs: NOW() + 30 * MINUTE_MS });
  const connectionId = await connect('threat-intelligence', { api_host: intelligence.url }, { api_key: intelligence.state.apiKey });
  expect(await poll(connectionId)).toEqual({ taken: 2, noted: 0, ended: null });
  expect(await takenFrom(connectionId)).toMatchObject([
    { source_id: 'one', alert_type: 'Intelligence alert: Mentions of the company' },
    { source_id: 'two' },
  ]);
});

it('reads the investigations of the vulnerability platform', async () => {
  const { state } = vulnerabilities;
  const [investigation] = state.investigations;
  if (!investigation) throw new Error('the stand-in has no investigation');
  state.investigations = [1, 2].map((number) => ({
    ...investigation,
    rrn: `rrn:investigation:${number}`,
    created_time: new Date(NOW() - number * MINUTE_MS).toISOString(),
  }));
  const { settings, credentials } = vulnerabilityConnection;
  const connectionId = await connect('vulnerability-investigation', { ...settings }, { ...credentials });
  expect(await poll(connectionId)).toEqual({ taken: 2, noted: 0, ended: null });
  expect(await poll(connectionId)).toEqual({ taken: 0, noted: 0, ended: null });
  const [first] = await takenFrom(connectionId);
  expect(first).toMatchObject({ source_id: 'rrn:investigation:1', alert_type: expect.stringMatching(/^Investigation: /) });
});

it('reads through a remote agent once the agent is online', async () => {
  const authority = await createAuthority();
  const inside = await startStandIn({ authority, define: defineIncidentSourceStandIn });
  inside.state.pageSize = 2;
  const { body: agent } = await service.request<{ agent_id: string; token: string }>('POST', '/platformapi/remote-agents', {
    body: { organization_code: 'DEMO', name: 'inside' },
  });
  const connectionId = await connect(
    'incident-source',
    { auth_url: inside.url, api_host: inside.url, scope_resource: inside.state.identity.resource },
    tenantCredentials(inside),
    { remote_agent: agent.agent_id },
  );
  const polled = poll(connectionId);
  await waitFor('the step to wait', async () => (await service.database.pg`select from agent_steps`).length === 1);
  const stopping = new AbortController();
  const egress = new Egress({ allow: [inside.address], ca: authority.caPem });
  const running = runAgent({ apiUrl: service.url, token: agent.token, egress, signal: stopping.signal, log });
  expect(await polled).toEqual({ taken: 4, noted: 0, ended: null });
  expect(await poll(connectionId)).toEqual({ taken: 0, noted: 0, ended: null });
  expect(await listSourceIds(connectionId)).toEqual(['2041', '2044', '2045', '2046']);
  inside.state.identity.clientSecret = 'rotated-client-secret';
  inside.state.identity.tokens.clear();
  expect(await poll(connectionId)).toMatchObject({ taken: 0, ended: expect.stringContaining('secret') });
  expect((await readWatermark(connectionId)).last_error).toContain('secret');
  stopping.abort();
  await running;
  await inside.stop();
});

it('updates an alert that no investigation has read yet', async () => {
  await investigateNewAlerts();
  const connectionId = await connectIncidents();
  const { pg, db } = service.database;
  const [feed, provider] = [await findFeed(pg, connectionId), await ensureProvider(asService(db), 'incident-source')];
  if (!feed) throw new Error('no feed');
  const item = (revision: string): SourceItem => ({
    sourceId: '800',
    revision,
    at: null,
    alert: { type: 'Incident: Malware', content: `content of ${revision}`, createdAtSource: null },
    note: `note of ${revision}`,
  });
  await service.stopWorker();
  const outcomes: string[] = [];
  for (const revision of ['one', 'two', 'two'])
    outcomes.push(await pg.begin((transaction) => takeItem(transaction, feed, provider, item(revision))));
  expect(outcomes).toEqual(['taken', 'noted', 'known']);
  expect(await takenFrom(connectionId)).toMatchObject([{ content: 'content of two' }]);
  await service.startWorker();
  const [taken] = await takenFrom(connectionId);
  const done: AlertListItem = await service.waitForStatus(taken?.alert_id ?? '', 15);
  expect(done.alert_content).toBe('content of two');
});
