import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { waitFor } from '../../support/service.js';
import {
  alertsBy,
  change,
  connect,
  connectIncidents,
  endpoint,
  incidents,
  listSourceIds,
  MINUTE_MS,
  NOW,
  poll,
  readWatermark,
  report,
  schedule,
  service,
  setUpSources,
  takenFrom,
  tenantCredentials,
  vulnerabilities,
  vulnerabilityConnection,
} from './support/sources.js';

setUpSources();

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

it('reads new incidents after an item from the far future', async () => {
  const connectionId = await connectIncidents();
  report(510, -365 * 24 * 60 * MINUTE_MS);
  await poll(connectionId);
  report(511, 0);
  await poll(connectionId);
  expect(await listSourceIds(connectionId)).toEqual(['510', '511']);
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
