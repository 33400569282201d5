import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startApi } from '../../api/server.js';
import { COMPUTERS } from '../../connectors/kit/stand-in/company.js';
import type { ConnectionTestReport } from '../../domain/connection/connection.js';
import { AGENT_VERSION, STEP_REPORT_BYTES } from '../../domain/connection/remote-agent.js';
import { ago, changeAgentSteps } from '../support/rows.js';
import { log, waitFor } from '../support/service.js';
import {
  agent,
  callAs,
  claimAs,
  connectionId,
  count,
  createAgent,
  credentialsOf,
  expireHeartbeat,
  ISOLATE,
  listCalls,
  listIsolations,
  MACHINE,
  outside,
  readAgent,
  readConnection,
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

describe('a routed connection', () => {
  it('is served only by its agent', async () => {
    startAgent();
    const { status, body } = await runSkill('get-machine', { machine_id: MACHINE });
    expect(status).toBe(200);
    expect(body).toMatchObject({ skill_id: 'Get machine', output: { id: MACHINE } });
    expect(await readAgent()).toMatchObject({ version: AGENT_VERSION, last_seen_at: expect.any(Number), waiting_steps: 0 });
    const [result] = await service.database
      .pg`select status, output, attempts, duration_ms from skill_results where connection_uuid = ${connectionId}`;
    expect(result).toMatchObject({ status: 'done', attempts: 1, output: { id: MACHINE } });
    expect(await service.database.pg`select from agent_steps where connection_uuid = ${connectionId}`).toHaveLength(0);
  });

  it('reports a failure in the same way as a worker, and updates the connection', async () => {
    startAgent();
    const missing = await runSkill('get-machine', { machine_id: 'f'.repeat(40) });
    expect(missing).toMatchObject({ status: 502, body: { code: 'NotFound', third_party_status: 404 } });

    standIn.faults.next({
      match: ({ url }) => url.startsWith('/api/machines/'),
      status: 403,
      body: { error: { code: 'Forbidden', message: 'no' } },
    });
    expect(await runSkill('get-machine', { machine_id: MACHINE })).toMatchObject({ status: 502, body: { code: 'NotPermitted' } });
    expect((await readConnection()).refused_skills).toMatchObject([{ skill_id: 'Get machine' }]);

    standIn.faults.next({ match: ({ url }) => url.startsWith('/api/'), times: 2, status: 401, body: {} });
    expect(await runSkill('list-machines', {})).toMatchObject({ status: 502, body: { code: 'CredentialsRejected' } });
    expect((await readConnection()).state).toBe('broken');
  });

  it('reports that an answer is too large to report', async () => {
    startAgent();
    const body = { Schema: [{ Name: 'x', Type: 'String' }], Results: [{ x: 'x'.repeat(STEP_REPORT_BYTES) }] };
    standIn.faults.next({ match: ({ url }) => url.startsWith('/api/advancedqueries'), body });
    expect(await runSkill('run-advanced-query', { query: 'DeviceInfo' })).toMatchObject({
      status: 502,
      body: { code: 'ReplyTooLarge', detail: expect.stringContaining('16 MiB, the most that a remote agent can report') },
    });
  });

  it('hides a secret that the third party repeats in an answer or an error', async () => {
    startAgent();
    const { client_secret } = credentialsOf(standIn);
    const isQuery = ({ url }: { url: string }) => url.startsWith('/api/advancedqueries');
    standIn.faults.next({ match: isQuery, body: { Schema: [{ Name: 'x', Type: 'String' }], Results: [{ x: `told ${client_secret}` }] } });
    const answered = await runSkill('run-advanced-query', { query: 'DeviceInfo' });
    expect(answered.status).toBe(200);
    expect(JSON.stringify(answered.body.output)).toContain('told [hidden]');

    standIn.faults.next({ match: isQuery, status: 400, body: { error: { code: 'BadRequest', message: `told ${client_secret}` } } });
    const refused = await runSkill('run-advanced-query', { query: 'DeviceInfo' });
    expect(refused.status).toBe(502);
    expect(JSON.stringify(refused.body)).toContain('[hidden]');
    expect(JSON.stringify(await service.database.pg`select * from skill_results`)).not.toContain(client_secret);
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

  it('performs a write once, with its idempotency key', async () => {
    startAgent();
    expect(await runSkill('isolate-machine', ISOLATE)).toMatchObject({ status: 200, body: { output: { type: 'Isolate' } } });
    expect(listIsolations()).toHaveLength(1);
  });

  it('performs no write while the organization has stopped writes', async () => {
    await switchWrites('stop');
    startAgent();
    const asked = await runSkill('isolate-machine', ISOLATE);
    expect(asked.status).toBe(202);
    await waitFor('the write to be held', async () => (await readRun()).problem?.code === 'WritesHeld');
    expect(standIn.state.actions).toEqual([]);
    await switchWrites('resume');
    await waitFor('the write to complete', async () => (await readRun()).state === 'done');
    expect(standIn.state.actions).toHaveLength(1);
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
});

describe('a working agent', () => {
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
});

describe('the test of a routed connection', () => {
  const test = async () => service.request<ConnectionTestReport>('POST', `/platformapi/connections/${connectionId}/test`);

  it("runs on its agent, in the agent's network", async () => {
    startAgent();
    expect(await test()).toMatchObject({
      status: 200,
      body: { ok: true, credentials: { ok: true }, hosts: [{ reachable: true }, { reachable: true }] },
    });
    expect(await readConnection()).toMatchObject({ state: 'working', tested_at: expect.any(Number) });
  });

  it('reports rejected credentials, and a reconnect restores the connection', async () => {
    startAgent();
    const reconnect = async (secret: string) =>
      service.request<{ test: ConnectionTestReport }>('POST', `/platformapi/connections/${connectionId}/reconnect`, {
        body: { credentials: { client_secret: secret } },
      });
    expect(await reconnect('no longer valid')).toMatchObject({ status: 200, body: { test: { ok: false } } });
    expect((await readConnection()).state).toBe('broken');
    expect(await reconnect(standIn.state.identity.clientSecret)).toMatchObject({ status: 200, body: { test: { ok: true } } });
    expect(await readConnection()).toMatchObject({ state: 'working', generation: 3 });
    expect(await runSkill('get-machine', { machine_id: MACHINE })).toMatchObject({ status: 200 });
  });
});

describe('credentials', () => {
  it("are sent only with a step of the agent's own connections", async () => {
    const stranger = await createAgent(`stranger ${count}`);
    const waiting = new AbortController();
    const strangers = callAs(stranger.token, '/claim', { version: '1' }, waiting.signal).catch(() => 'nothing');
    const run = runSkill('get-machine', { machine_id: MACHINE });
    const step = await claimAs(agent.token);
    expect(step.connection.credentials).toMatchObject({ client_secret: standIn.state.identity.clientSecret });
    expect(step).toMatchObject({ activity_name: 'endpointDetection.getMachine', mode: 'perform', input: { machine_id: MACHINE } });

    const { body: audit } = await service.request('GET', `/platformapi/audit?action=connection.claim-credentials&target=${connectionId}`);
    expect(audit).toMatchObject({ items: [{ organization_code: 'DEMO', details: { remote_agent: agent.agent_id } }] });
    const { claim, step_id } = step;
    const report = { outcome: 'ok', claim, output: {}, duration_ms: 1 };
    for (const [token, given] of [
      [stranger.token, claim],
      [agent.token, '1'],
    ] as const) {
      expect((await callAs(token, `/steps/${step_id}/heartbeat`, { claim: given })).status).toBe(404);
      expect((await callAs(token, `/steps/${step_id}/report`, { ...report, claim: given })).status).toBe(404);
    }
    expect((await callAs(agent.token, `/steps/${step_id}/heartbeat`, { claim })).status).toBe(204);
    waiting.abort();
    expect(await strangers).toBe('nothing');

    // A report that does not match the contract is an UnexpectedReply.
    expect((await callAs(agent.token, `/steps/${step_id}/report`, report)).status).toBe(204);
    expect(await run).toMatchObject({ status: 502, body: { code: 'UnexpectedReply' } });
    expect((await callAs(agent.token, `/steps/${step_id}/report`, report)).status).toBe(404);
  });

  it('are no longer sent after the agent is revoked, and another agent takes over', async () => {
    const listening = new AbortController();
    const waiting = callAs(agent.token, '/claim', { version: '1' }, listening.signal).catch(() => 'nothing');
    await waitFor('the agent to be seen', async () => (await readAgent())?.last_seen_at);
    expect((await service.request('DELETE', `/platformapi/remote-agents/${agent.agent_id}`)).status).toBe(204);
    const run = runSkill('get-machine', { machine_id: MACHINE });
    await waitFor('the step to wait', async () => (await readAgent())?.waiting_steps === 1);
    expect((await callAs(agent.token, '/claim', { version: '1' })).status).toBe(401);

    const successor = await createAgent(`successor ${count}`);
    startAgent(successor.token);
    const body = { remote_agent: successor.agent_id, credentials: credentialsOf(standIn) };
    expect((await service.request('PATCH', `/platformapi/connections/${connectionId}`, { body })).status).toBe(200);
    expect(await run).toMatchObject({ status: 200, body: { output: { id: MACHINE } } });
    listening.abort();
    expect(await waiting).toBe('nothing');
  });
});

describe('an API restart', () => {
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
});

describe('an offline agent', () => {
  it('parks its steps, which continue when it is online again', async () => {
    const run = runSkill('get-machine', { machine_id: MACHINE });
    await waitFor('the step to wait', async () => (await readAgent())?.waiting_steps === 1);
    expect(await readAgent()).toMatchObject({ last_seen_at: null, waiting_since: expect.any(Number) });
    startAgent();
    expect(await run).toMatchObject({ status: 200, body: { output: { id: MACHINE } } });
  });

  it('is not awaited after the connection changes its route', async () => {
    const run = runSkill('get-machine', { machine_id: MACHINE });
    await waitFor('the step to wait', async () => (await readAgent())?.waiting_steps === 1);
    const body = { remote_agent: null, settings: settingsFor(outside), credentials: credentialsOf(outside) };
    expect((await service.request('PATCH', `/platformapi/connections/${connectionId}`, { body })).status).toBe(200);
    expect(await run).toMatchObject({ status: 200, body: { output: { id: MACHINE } } });
  });

  it('keeps no step of a terminated run', async () => {
    const run = runSkill('get-machine', { machine_id: MACHINE });
    await waitFor('the step to wait', async () => (await readAgent())?.waiting_steps === 1);
    const [row] = await service.database.pg<{ workflow_id: string }[]>`
      select split_part(activity_key, '/', 1) as workflow_id from agent_steps where connection_uuid = ${connectionId}`;
    await service.temporal.workflow.getHandle(row?.workflow_id ?? '').terminate('ended by the test');
    await run;
    await waitFor('the step to be deleted', async () => (await readAgent())?.waiting_steps === 0);
  });
});

describe('after an agent dies', () => {
  it('another agent takes over its read', async () => {
    const run = runSkill('get-machine', { machine_id: MACHINE });
    const lost = await claimAs(agent.token);
    await expireHeartbeat();
    startAgent();
    expect(await run).toMatchObject({ status: 200, body: { output: { id: MACHINE } } });
    expect((await callAs(agent.token, `/steps/${lost.step_id}/heartbeat`, { claim: lost.claim })).status).toBe(404);
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
    expect(await run).toMatchObject({ status: 502, body: { code: 'NotFound' } });
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
});

describe('the agent process', () => {
  it('imports neither the database, nor the API, nor Temporal', async () => {
    const seen = new Set<string>();
    const packages = new Set<string>();
    const read = async (file: string): Promise<void> => {
      if (seen.has(file)) return;
      seen.add(file);
      const source = await readFile(path.join(ROOT, file), 'utf8');
      for (const [, names, from = ''] of source.matchAll(/^(?:import|export) ([^;]*?) from '([^']+)';/gms)) {
        if (names?.startsWith('type ')) continue;
        if (from.startsWith('.')) await read(path.join(path.dirname(file), from.replace(/\.js$/, '.ts')));
        else packages.add(from);
      }
    };
    await read('agent/main.ts');
    expect(seen.size).toBeGreaterThan(20);
    expect([...seen].filter((file) => /^(db|api|workflows|local)\//.test(file))).toEqual([]);
    expect([...packages].filter((name) => /temporal|postgres|drizzle|fastify/.test(name))).toEqual([]);
  });

  it('reports its version', async () => {
    const { version }: { version: string } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
    expect(AGENT_VERSION).toBe(version);
  });
});
