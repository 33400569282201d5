import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { COMPUTERS } from '../../connectors/kit/stand-in/company.js';
import type { Connection } from '../../services/connections/wire.js';
import { replayAll, startWorkerProcess, type TestService, waitFor } from '../support/service.js';
import { createConnection, startWithThirdParties, type WithThirdParties } from '../support/with-third-parties.js';

let started: WithThirdParties;
let service: TestService;

beforeAll(async () => {
  started = await startWithThirdParties({ env: { INVESTIGATION_MAX_RETRIES: '1', RECONNECT_WAIT_SECONDS: '600' } });
  service = started.service;
});
afterAll(() => started?.stop());

it('parks fifty investigations, and a successful reconnect resumes all of them', async () => {
  const { standIns, connections } = started.thirdParties;
  const id = await createConnection(service, { instance_name: 'Intelligence', ...connections.threatIntelligence });
  const sent: string[] = [];
  const send = async (count: number) => {
    for (let n = 0; n < count; n += 1) sent.push((await service.sendAlert({ alert_type: 'Testbed enriching' })).alert_id);
  };
  await send(25);
  standIns.threatIntelligence.state.apiKey = 'rotated-key';
  await send(25);
  await waitFor('all other investigations to wait', async () => {
    const done = await service.database.pg`select from alerts where alert_id = any(${sent}) and investigation_status = 15`;
    const { body } = await service.request<Connection>('GET', `/platformapi/connections/${id}`);
    return body.state === 'broken' && body.waiting_investigations > 0 && body.waiting_investigations + done.length === sent.length;
  });
  const body = { credentials: { api_key: 'rotated-key' } };
  expect(await service.request('POST', `/platformapi/connections/${id}/reconnect`, { body })).toMatchObject({
    body: { test: { ok: true } },
  });
  for (const alertId of sent) await service.waitForStatus(alertId, 15);
});

it('performs a write exactly once although its worker is killed while it runs', async () => {
  const { standIns, connections } = started.thirdParties;
  const endpoints = standIns.endpointDetection;
  const id = await createConnection(service, { instance_name: 'Endpoints', ...connections.endpointDetection });
  await service.stopWorker();
  const child = startWorkerProcess(service.settings);
  onTestFinished(() => void child.kill('SIGKILL'));
  endpoints.faults.next({ match: ({ url }) => url.endsWith('/isolate'), performed: true, drip: true });
  const asked = service.request<{ skill_id: string }>('POST', `/platformapi/connections/${id}/skills/isolate-machine`, {
    body: { input: { machine_id: COMPUTERS[0].machineId, comment: 'contain it' }, confirm: true },
  });
  await waitFor('the isolate to reach the third party', async () => endpoints.requests.some(({ url }) => url.endsWith('/isolate')));
  await waitFor('the third party to perform the isolate', async () => endpoints.state.actions.some((action) => action.type === 'Isolate'));
  child.kill('SIGKILL');
  await service.startWorker();
  const first = await asked;
  // A run that takes longer than 30 seconds is answered with its place.
  const location = first.headers.get('location');
  const outcome =
    location === null
      ? first.body
      : await waitFor('the run to end', async () => (await service.request<{ outcome: object | null }>('GET', location)).body.outcome);
  expect(outcome).toMatchObject({ output: { type: 'Isolate' } });
  expect(endpoints.state.actions.filter((action) => action.type === 'Isolate')).toHaveLength(1);
  expect(endpoints.requests.filter(({ method, url }) => method === 'POST' && url.endsWith('/isolate'))).toHaveLength(1);
});

it('leaves histories that replay', async () => {
  expect(await replayAll(service)).toBeGreaterThan(50);
});
