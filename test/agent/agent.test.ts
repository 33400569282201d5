import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { INDICATORS } from '../../connectors/kit/stand-in/company.js';
import type { ConnectionTestReport } from '../../domain/connection/connection.js';
import { AGENT_VERSION, STEP_REPORT_BYTES } from '../../domain/connection/remote-agent.js';
import { waitFor } from '../support/service.js';
import {
  agent,
  callAs,
  claimAs,
  connectionId,
  count,
  countSteps,
  createAgent,
  credentialsOf,
  expireHeartbeat,
  ISOLATE,
  listIsolations,
  MACHINE,
  readAgent,
  readConnection,
  readRun,
  runSkill,
  searchRecords,
  service,
  setUpAgents,
  standIn,
  startAgent,
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

it('fails a step that waits for the agent of a person who left', async () => {
  const run = runSkill('get-machine', { machine_id: MACHINE });
  await waitFor('the step to wait', async () => (await readAgent())?.waiting_steps === 1);
  const [held] = await service.database.pg<{ holder: string }[]>`
    select holder_uuid as holder from remote_agents where agent_uuid = ${agent.agent_id}`;
  expect((await service.request('POST', `/platformapi/users/${held?.holder}/deactivate`)).status).toBe(204);
  expect(await run).toMatchObject({ status: 502, body: { code: 'CredentialsRejected', detail: expect.stringContaining('was revoked') } });
  expect((await readConnection()).state).toBe('broken');
});

describe('an offline agent', () => {
  it('parks its steps, which continue when it is online again', async () => {
    const run = runSkill('get-machine', { machine_id: MACHINE });
    await waitFor('the step to wait', async () => (await readAgent())?.waiting_steps === 1);
    expect(await readAgent()).toMatchObject({ last_seen_at: null, waiting_since: expect.any(Number) });
    startAgent();
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

describe('the records of a routed connection', () => {
  const { maliciousIp } = INDICATORS;

  it('are copied by its agent', async () => {
    startAgent();
    await waitFor('the agent to call', async () => (await readAgent())?.last_seen_at);
    const { matches, problems } = await searchRecords();
    expect(problems).toEqual([]);
    expect(matches).toContainEqual(expect.objectContaining({ kind: 'alert', shared: [maliciousIp] }));
    expect(await countSteps()).toBe(0);
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
