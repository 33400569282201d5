import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { createRecordActivities } from '../../../activities/third-parties/records.js';
import { runAgent } from '../../../agent/agent.js';
import { catalogue } from '../../../connectors/catalogue.js';
import { defineEndpointDetectionStandIn, type EndpointDetectionStandInState } from '../../../connectors/endpoint-detection/stand-in.js';
import { implementations } from '../../../connectors/implementations.js';
import { Egress } from '../../../connectors/kit/egress.js';
import { HttpClient } from '../../../connectors/kit/http.js';
import { COMPUTERS, INDICATORS } from '../../../connectors/kit/stand-in/company.js';
import { type Authority, createAuthority, type StandIn, startStandIn } from '../../../connectors/kit/stand-in/stand-in.js';
import { AGENT_SILENCE_SECONDS, type ClaimedStep } from '../../../domain/connection/remote-agent.js';
import type { RecordAnswer } from '../../../domain/record/record.js';
import { createMetrics } from '../../../platform/metrics.js';
import type { RemoteAgent } from '../../../services/agents/wire.js';
import type { Connection } from '../../../services/connections/wire.js';
import { createConfirmedAgent } from '../../support/agents.js';
import { ago, changeAgentSteps, changeSkillResults } from '../../support/rows.js';
import { log, startTestService, type TestService } from '../../support/service.js';
import { createConnection } from '../../support/with-third-parties.js';

export const MACHINE = COMPUTERS[0].machineId;
export const ISOLATE = { machine_id: MACHINE, comment: 'Contain it' };

interface TestAgent {
  readonly agent_id: string;
  readonly token: string;
}

export let service: TestService;
let authority: Authority;
/** In the agent's network, which no worker can reach. */
export let standIn: StandIn<EndpointDetectionStandInState>;
/** Reachable for workers. */
export let outside: StandIn<EndpointDetectionStandInState>;
export let caFile: string;
export let agent: TestAgent;
export let connectionId: string;
export const stops: (() => Promise<unknown>)[] = [];
export let count = 0;

/** Starts a service and two stand-ins for the tests of a file. Each test has its own agent and connection. */
export function setUpAgents(): void {
  beforeAll(async () => {
    authority = await createAuthority();
    standIn = await startStandIn({ authority, define: defineEndpointDetectionStandIn });
    outside = await startStandIn({ authority, define: defineEndpointDetectionStandIn });
    caFile = path.join(tmpdir(), `agent-test-ca-${process.pid}.pem`);
    await writeFile(caFile, authority.caPem);
    service = await startTestService({
      env: { EGRESS_ALLOW: outside.address, EGRESS_CA_FILE: caFile },
      reconcile: { everySeconds: 1, untouchedForSeconds: 120 },
    });
  });

  afterAll(async () => {
    await service.stop();
    await Promise.all([standIn.stop(), outside.stop()]);
    await rm(caFile, { force: true });
  });

  beforeEach(async () => {
    standIn.state.actions.length = 0;
    standIn.faults.clear();
    count += 1;
    agent = await createAgent(`agent ${count}`);
    connectionId = await createConnection(service, {
      connector: 'endpoint-detection',
      instance_name: `endpoints ${count}`,
      settings: settingsFor(standIn),
      credentials: credentialsOf(standIn),
      remote_agent: agent.agent_id,
    });
  });

  afterEach(async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()));
  });
}

export function settingsFor({ url, state }: StandIn<EndpointDetectionStandInState>) {
  return { auth_url: url, api_host: url, scope_resource: state.identity.resource };
}

export function credentialsOf({ state: { identity } }: StandIn<EndpointDetectionStandInState>) {
  return { tenant_id: identity.tenantId, client_id: identity.clientId, client_secret: identity.clientSecret };
}

export function createAgent(name: string): Promise<TestAgent> {
  return createConfirmedAgent(service, name);
}

/** Starts an agent in this process. It stops after the test. */
export function startAgent(token = agent.token, apiUrl = service.url): void {
  const stopping = new AbortController();
  const egress = new Egress({ allow: [standIn.address], ca: authority.caPem });
  const running = runAgent({ apiUrl, token, egress, signal: stopping.signal, log });
  stops.push(() => {
    stopping.abort();
    return running;
  });
}

interface Outcome {
  readonly skill_id: string;
  readonly output: Record<string, unknown>;
  readonly code?: string;
  readonly detail?: string;
}

export function runSkill(skill: string, input: Record<string, unknown>) {
  return service.request<Outcome>('POST', `/platformapi/connections/${connectionId}/skills/${skill}`, { body: { input, confirm: true } });
}

export async function readConnection(): Promise<Connection> {
  return (await service.request<Connection>('GET', `/platformapi/connections/${connectionId}`)).body;
}

export async function readAgent(id = agent.agent_id): Promise<RemoteAgent | undefined> {
  const { body } = await service.request<{ items: RemoteAgent[] }>('GET', '/platformapi/remote-agents?limit=200');
  return body.items.find(({ agent_id }) => agent_id === id);
}

/** Sends an agent's request, for an agent that dies afterwards. */
export async function callAs(token: string, callPath: string, body: unknown, signal?: AbortSignal) {
  const response = await fetch(`${service.url}/agentapi${callPath}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
  return { status: response.status, text: await response.text() };
}

export async function claimAs(token: string): Promise<ClaimedStep> {
  const reply = await callAs(token, '/claim', { version: 'dying' });
  expect(reply.status).toBe(200);
  return JSON.parse(reply.text);
}

/** Makes the last heartbeat older than the limit. */
export async function expireHeartbeat(): Promise<void> {
  const then = ago({ seconds: AGENT_SILENCE_SECONDS + 1 });
  await changeAgentSteps(service, { connectionUuid: connectionId }, { seenAt: then });
  // A read has no row before it ends.
  const [write] = await service.database.pg`select 1 from skill_results where connection_uuid = ${connectionId} and status = 'started'`;
  if (write) await changeSkillResults(service, { connectionUuid: connectionId, status: 'started' }, { startedAt: then });
}

export const switchWrites = (how: 'stop' | 'resume') =>
  service.request('POST', `/platformapi/response/${how}`, { body: { organization_code: 'DEMO', reason: 'Wait.' } });

/** Reads the only run of the connection. */
export async function readRun() {
  const [run] = await service.database.pg<{ run_uuid: string }[]>`
    select run_uuid from skill_runs where connection_uuid = ${connectionId}
    union all select proposal_uuid from proposals where connection_uuid = ${connectionId}`;
  const reply = await service.request<{ state: string; problem: { code: string } | null }>(
    'GET',
    `/platformapi/skill-runs/${run?.run_uuid}`,
  );
  return reply.body;
}

/** Lists the calls of the third party's API since the list was cleared. */
export const listCalls = () =>
  standIn.requests.filter(({ url }) => url.startsWith('/api/')).map(({ method, url }) => `${method} ${url.split('?')[0]}`);

export const listIsolations = () => standIn.state.actions.filter(({ type }) => type === 'Isolate');

/** Searches as a worker does that cannot reach the third party. */
export async function searchRecords() {
  const { pg, db } = service.database;
  const httpClient = new HttpClient(new Egress({ allow: [], ca: null }));
  stops.push(() => httpClient.close());
  const deps = { pg, db, httpClient, keyring: service.keyring, metrics: createMetrics() };
  const activities = createRecordActivities({ catalogue, implementations }, deps);
  const { alert_id: alertId } = await service.sendAlert();
  const question = { alertId, values: [INDICATORS.maliciousIp], around: Date.now() / 1000 };
  const answer: RecordAnswer = await new MockActivityEnvironment().run(activities.searchRecords, question);
  const { matches, problems } = answer;
  const isOwn = ({ connection }: { connection: string }) => connection === `endpoints ${count}`;
  return { matches: matches.filter(isOwn), problems: problems.filter(isOwn) };
}
export const countSteps = async () => (await service.database.pg`select from agent_steps where connection_uuid = ${connectionId}`).length;
