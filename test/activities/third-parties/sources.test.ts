import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { runAgent } from '../../../agent/agent.js';
import { defineIncidentSourceStandIn } from '../../../connectors/incident-source/stand-in.js';
import { Egress } from '../../../connectors/kit/egress.js';
import { createAuthority, startStandIn } from '../../../connectors/kit/stand-in/stand-in.js';
import { findFeed } from '../../../db/sources/sources.js';
import type { AlertListItem } from '../../../domain/alert/alert.js';
import type { SourceItem } from '../../../domain/alert/intake-source.js';
import type { Connection } from '../../../services/connections/wire.js';
import { asService } from '../../../services/context.js';
import { ensureProvider } from '../../../services/providers/ensure.js';
import { takeItem } from '../../../services/sources/take-item.js';
import { createConfirmedAgent } from '../../support/agents.js';
import { log, waitFor } from '../../support/service.js';
import {
  alertsBy,
  change,
  connect,
  connectIncidents,
  incidents,
  intelligence,
  investigateNewAlerts,
  listSourceIds,
  MINUTE_MS,
  NOW,
  poll,
  readWatermark,
  report,
  schedule,
  scheduleHandle,
  service,
  setUpSources,
  takenFrom,
  tenantCredentials,
} from './support/sources.js';

setUpSources();

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

it('reads through a remote agent once the agent is online', async () => {
  const authority = await createAuthority();
  const inside = await startStandIn({ authority, define: defineIncidentSourceStandIn });
  inside.state.pageSize = 2;
  const agent = await createConfirmedAgent(service, 'inside');
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
