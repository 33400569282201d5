import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startApi } from '../../api/server.js';
import { COMPUTERS } from '../../connectors/kit/stand-in/company.js';
import { ago, changeAgentSteps } from '../support/rows.js';
import { log, waitFor } from '../support/service.js';
import {
  agent,
  caFile,
  callAs,
  claimAs,
  connectionId,
  credentialsOf,
  expireHeartbeat,
  ISOLATE,
  listCalls,
  listIsolations,
  MACHINE,
  outside,
  readAgent,
  readRun,
  runSkill,
  service,
  settingsFor,
  setUpAgents,
  standIn,
  startAgent,
  stops,
  switchWrites,
} from './support/agents.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

setUpAgents();

describe('after an agent dies', () => {
  it('exactly one isolation exists if it died during the isolate', async () => {
    standIn.requests.length = 0;
    standIn.faults.next({ match: ({ url }) => url.endsWith('/isolate'), performed: true, drip: true });
    const child = spawn(process.execPath, ['bin/alert-investigator', 'agent'], {
      cwd: ROOT,
      env: {
        ...process.env,
        AGENT_API_URL: service.url,
        AGENT_TOKEN: agent.token,
        EGRESS_ALLOW: standIn.address,
        EGRESS_CA_FILE: caFile,
        LOG_LEVEL: 'silent',
      },
      stdio: 'inherit',
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const run = runSkill('isolate-machine', ISOLATE);
    await waitFor('the isolate to reach the third party', async () => listIsolations().length === 1);
    child.kill('SIGKILL');
    await ended;
    await expireHeartbeat();
    startAgent();
    const outcome = await run;
    expect([200, 202]).toContain(outcome.status);
    await waitFor('the isolate to be found', async () => {
      const [result] = await service.database.pg`select status from skill_results where connection_uuid = ${connectionId}`;
      return result?.['status'] === 'done';
    });
    expect(listIsolations()).toHaveLength(1);
    expect(standIn.requests.filter(({ url }) => url.endsWith('/isolate'))).toHaveLength(1);
  });

  it('the next agent looks up an unsent isolate while writes are stopped, and performs it afterwards', async () => {
    const run = runSkill('isolate-machine', ISOLATE);
    expect((await claimAs(agent.token)).mode).toBe('perform');
    await expireHeartbeat();
    await switchWrites('stop');
    standIn.requests.length = 0;
    startAgent();
    await waitFor('the write to be held', async () => (await readRun()).problem?.code === 'WritesHeld');
    expect(listCalls()).toEqual(['GET /api/machineactions']);
    await switchWrites('resume');
    await waitFor('the write to complete', async () => (await readRun()).state === 'done');
    expect(listCalls()).toEqual(['GET /api/machineactions', 'GET /api/machineactions', `POST /api/machines/${MACHINE}/isolate`]);
    expect(listIsolations()).toHaveLength(1);
    await run;
  });

  it('the next agent finds a sent isolate while writes are stopped', async () => {
    standIn.requests.length = 0;
    const run = runSkill('isolate-machine', ISOLATE);
    const dying = await claimAs(agent.token);
    // As the agent does shortly before it dies.
    standIn.state.actions.push({
      id: 'sent before it died',
      type: 'Isolate',
      status: 'Pending',
      machineId: MACHINE,
      requestorComment: `Contain it [alert-investigator ${dying.operation_key}]`,
      creationDateTimeUtc: new Date().toISOString(),
      lastUpdateDateTimeUtc: new Date().toISOString(),
    });
    await expireHeartbeat();
    await switchWrites('stop');
    onTestFinished(async () => void (await switchWrites('resume')));
    startAgent();
    expect(await run).toMatchObject({ status: 200, body: { output: { type: 'Isolate' } } });
    expect(listCalls()).toEqual(['GET /api/machineactions']);
    expect(listIsolations()).toHaveLength(1);
  });
});

it('sends heartbeats to the API and Temporal during a long step, and reports its result', async () => {
  standIn.faults.next({ match: ({ url }) => url.startsWith('/api/machines'), latencyMs: 25_000 });
  startAgent();
  const running = runSkill('list-machines', {});
  const { pg } = service.database;
  await waitFor('a heartbeat of the step', async () => {
    const [step] = await pg<
      { seen: boolean }[]
    >`select seen_at > claimed_at as seen from agent_steps where connection_uuid = ${connectionId}`;
    return step?.seen;
  });
  const [run] = await pg<{ run_uuid: string }[]>`select run_uuid from skill_runs where connection_uuid = ${connectionId}`;
  const { raw } = await service.temporal.workflow.getHandle(`skill-${run?.run_uuid}`).describe();
  expect(raw.pendingActivities?.[0]?.lastHeartbeatTime).toBeTruthy();
  expect(await running).toMatchObject({ status: 200, body: { skill_id: 'List machines' } });
});

it('waits for a third party that requests a delay, and retries after a failure', async () => {
  startAgent();
  const isMachines = ({ url }: { url: string }) => url.startsWith('/api/machines');
  standIn.faults.next({ match: isMachines, status: 429, headers: { 'retry-after': '1' }, body: {} });
  standIn.faults.next({ match: isMachines, status: 500, body: {} });
  const { status, body } = await runSkill('list-machines', {});
  expect(status).toBe(200);
  expect(body.output['items']).toHaveLength(COMPUTERS.length);
});

it('sends no write that is stopped while the agent requests a token', async () => {
  const isToken = ({ url }: { url: string }) => url.endsWith('/token');
  const before = standIn.requests.filter(isToken).length;
  standIn.faults.next({ match: isToken, latencyMs: 4_000 });
  startAgent();
  const asked = runSkill('isolate-machine', ISOLATE);
  await waitFor('the token request', async () => standIn.requests.filter(isToken).length > before);
  await switchWrites('stop');
  await waitFor('the write to be held', async () => (await readRun()).problem?.code === 'WritesHeld');
  expect(standIn.state.actions).toEqual([]);
  await switchWrites('resume');
  await asked;
  await waitFor('the write to complete', async () => (await readRun()).state === 'done');
  expect(standIn.state.actions).toHaveLength(1);
});

it('responds to waiting agents before it stops, and agents reconnect afterwards', async () => {
  const start = (port: number) => startApi({ settings: { ...service.settings, PORT: port }, log });
  const first = await start(0);
  startAgent(agent.token, first.url);
  await waitFor('the agent to be seen', async () => (await readAgent())?.last_seen_at);
  const waiting = fetch(`${first.url}/agentapi/claim`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ version: 'second' }),
  });
  await waitFor('the second request to arrive', async () => (await readAgent())?.version === 'second');
  await first.close();
  const answer = await waiting;
  expect(answer.status).toBe(204);
  // Without it the API would wait a minute for the client to close the connection.
  expect(answer.headers.get('connection')).toBe('close');
  const run = runSkill('get-machine', { machine_id: MACHINE });
  await waitFor('the step to wait', async () => (await readAgent())?.waiting_steps === 1);
  const second = await start(Number(new URL(first.url).port));
  stops.push(() => second.close());
  expect(await run).toMatchObject({ status: 200, body: { output: { id: MACHINE } } });
});

it('is not awaited after the connection changes its route', async () => {
  const run = runSkill('get-machine', { machine_id: MACHINE });
  await waitFor('the step to wait', async () => (await readAgent())?.waiting_steps === 1);
  const body = { remote_agent: null, settings: settingsFor(outside), credentials: credentialsOf(outside) };
  expect((await service.request('PATCH', `/platformapi/connections/${connectionId}`, { body })).status).toBe(200);
  expect(await run).toMatchObject({ status: 200, body: { output: { id: MACHINE } } });
});

it('the next agent looks up an unsent isolate and then performs it', async () => {
  const run = runSkill('isolate-machine', ISOLATE);
  expect((await claimAs(agent.token)).mode).toBe('perform');
  await expireHeartbeat();
  standIn.requests.length = 0;
  startAgent();
  expect(await run).toMatchObject({ status: 200, body: { output: { type: 'Isolate' } } });
  expect(listCalls()).toEqual(['GET /api/machineactions', `POST /api/machines/${MACHINE}/isolate`]);
  expect(listIsolations()).toHaveLength(1);
});

it('the next agent does not repeat an isolate while the lookup fails', async () => {
  const run = runSkill('isolate-machine', ISOLATE);
  await claimAs(agent.token);
  await expireHeartbeat();
  standIn.faults.next({ match: ({ url }) => url.startsWith('/api/machineactions'), status: 404, body: {} });
  startAgent();
  expect(await run).toMatchObject({ status: 502, body: { code: 'Misconfigured' } });
  const [result] = await service.database.pg`select status from skill_results where connection_uuid = ${connectionId}`;
  expect(result).toEqual({ status: 'started' });
  expect(listIsolations()).toHaveLength(0);
});

it('the next agent looks up a recent write but does not repeat it yet', async () => {
  const run = runSkill('isolate-machine', ISOLATE);
  const lost = await claimAs(agent.token);
  await changeAgentSteps(service, { stepUuid: lost.step_id }, { seenAt: ago({ minutes: 2 }) });
  const again = await claimAs(agent.token);
  expect(again).toMatchObject({ step_id: lost.step_id, mode: 'lookup', settles_in_seconds: expect.any(Number) });
  expect(again.settles_in_seconds).toBeGreaterThan(30);
  const error = {
    code: 'OutcomeUnknown',
    message: 'no look-up',
    status: null,
    resolution: null,
    retryAfterSeconds: null,
    mayHaveHappened: true,
  };
  const report = { outcome: 'failed', claim: again.claim, error };
  expect((await callAs(agent.token, `/steps/${again.step_id}/report`, report)).status).toBe(204);
  expect(await run).toMatchObject({ status: 502, body: { code: 'OutcomeUnknown' } });
  expect(listIsolations()).toHaveLength(0);
});
