import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../db/ids.js';
import { STEP_REPORT_BYTES } from '../../domain/connection/remote-agent.js';
import { SkillKey } from '../../domain/skill-key.js';
import { handOverStep } from '../../services/agents/hand-over-step.js';
import type { RemoteAgent } from '../../services/agents/wire.js';
import { insertConnection } from '../../services/connections/insert.js';
import { asService, readClock } from '../../services/context.js';
import { adminPrincipal } from '../support/principal.js';
import { startTestService, type TestService } from '../support/service.js';
import { type List, readAllPages, send } from './support/http.js';
import { createOrganization } from './support/records.js';

type Created = RemoteAgent & { token: string };

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  await createOrganization(service, 'OTHER');
});
afterAll(() => service.stop());

async function create(name: string, given: { organization_code?: string; key?: string } = {}) {
  const body = { organization_code: given.organization_code ?? 'DEMO', name };
  return service.request<Created>('POST', '/platformapi/remote-agents', { body, ...(given.key === undefined ? {} : { key: given.key }) });
}

async function list(key?: string): Promise<RemoteAgent[]> {
  return readAllPages<RemoteAgent>(service, '/platformapi/remote-agents', { limit: 2, ...(key === undefined ? {} : { key }) });
}

function callAs(token: string | null, path: string, body: unknown = { version: '9.9.9' }) {
  return send(`${service.url}/agentapi${path}`, {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
  });
}

describe('a remote agent', () => {
  it('is created with a token that is shown once and not stored', async () => {
    const { status, body } = await create('plant');
    expect(status).toBe(201);
    expect(body).toMatchObject({ organization_code: 'DEMO', name: 'plant', version: null, last_seen_at: null, waiting_steps: 0 });
    expect(body.token).toMatch(/^agent_[\w-]{43}$/);
    const { token, ...shown } = body;
    expect((await list()).find(({ agent_id }) => agent_id === body.agent_id)).toEqual(shown);
    const rows = await service.database.pg`select * from remote_agents, audit_log`;
    expect(JSON.stringify(rows)).not.toContain(token.slice(6));
    expect((await create('plant')).status).toBe(409);
    expect((await create('plant', { organization_code: 'NOWHERE' })).status).toBe(422);
  });

  it('gets 413 for a report that is too large, before it sends it', async () => {
    const { token } = (await create('talkative')).body;
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': String(STEP_REPORT_BYTES + 1),
    };
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const call = request(`${service.url}/agentapi/steps/${newUuid()}/report`, { method: 'POST', headers }, ({ statusCode }) => {
        resolve(statusCode);
        call.destroy();
      });
      call.on('error', reject).flushHeaders();
    });
    expect(answer).toBe(413);
  });

  it('belongs to one organization', async () => {
    const { api_key: key } = await service.createKey('admin', 'OTHER');
    const { body: foreign } = await create('theirs not');
    expect((await create('mine', { key })).status).toBe(422);
    expect((await create('mine', { key, organization_code: 'OTHER' })).status).toBe(201);
    expect((await list(key)).map(({ name }) => name)).toEqual(['mine']);
    expect((await service.request('DELETE', `/platformapi/remote-agents/${foreign.agent_id}`, { key })).status).toBe(404);
  });

  it('can be changed by admins and read by analysts, with audit entries', async () => {
    const { api_key: key } = await service.createKey('analyst', 'DEMO');
    expect((await create('by an analyst', { key })).status).toBe(403);
    const { body } = await create('audited');
    expect((await list(key)).map(({ name }) => name)).toContain('audited');
    expect((await service.request('DELETE', `/platformapi/remote-agents/${body.agent_id}`, { key })).status).toBe(403);
    for (let twice = 0; twice < 2; twice += 1)
      expect((await service.request('DELETE', `/platformapi/remote-agents/${body.agent_id}`)).status).toBe(204);
    const entries = await service.request<List<{ action: string; target: string }>>('GET', '/platformapi/audit?limit=200');
    const own = entries.body.items.filter(({ target }) => target === body.agent_id).map(({ action }) => action);
    expect(own).toEqual(['remote-agent.revoke', 'remote-agent.create']);
  });
});

describe('the agent API', () => {
  const step = `/steps/${newUuid()}`;
  const report = { outcome: 'ok', claim: '1', output: {}, duration_ms: 1 };

  it('returns 401 for a token that is unknown, revoked or missing, and for an API key', async () => {
    const { body } = await create('revoked');
    await service.request('DELETE', `/platformapi/remote-agents/${body.agent_id}`);
    for (const token of [null, 'agent_', `agent_${'x'.repeat(43)}`, service.adminKey, body.token]) {
      for (const [path, given] of [
        ['/claim', { version: '1' }],
        [`${step}/heartbeat`, { claim: '1' }],
        [`${step}/report`, report],
      ] as const) {
        const reply = await callAs(token, path, given);
        expect(reply.status).toBe(401);
        expect(JSON.parse(reply.text)).toMatchObject({
          status: 401,
          detail: 'The agent token is unknown or revoked. Create a new remote agent.',
        });
      }
    }
    const byCookie = await service.request('POST', '/agentapi/claim', { body: { version: '1' } });
    expect(byCookie.status).toBe(401);
    expect((await list()).find(({ agent_id }) => agent_id === body.agent_id)?.last_seen_at).toBeNull();
  });

  it('is not part of the OpenAPI document', async () => {
    const { body } = await service.request<{ paths: Record<string, unknown> }>('GET', '/openapi.json', { key: null });
    expect(Object.keys(body.paths).filter((path) => path.startsWith('/agentapi'))).toEqual([]);
  });

  it('returns 422 for an invalid body and 404 for a step that the agent has not claimed', async () => {
    const { body } = await create('caller');
    expect((await callAs(body.token, '/claim', { version: '' })).status).toBe(422);
    expect((await callAs(body.token, `${step}/heartbeat`, { claim: '1' })).status).toBe(404);
    expect((await callAs(body.token, `${step}/report`, report)).status).toBe(404);
    expect((await callAs(body.token, `${step}/report`, { ...report, claim: 'x' })).status).toBe(422);
    expect((await callAs(body.token, `${step}/report`, { outcome: 'failed', claim: '1' })).status).toBe(422);
  });
});

describe('a step that waits for a remote agent', () => {
  it('is shown on the alert and on the agent', async () => {
    const { body: agent } = await create('far away');
    const { api_key: sender } = await service.createKey('sender');
    const alert = await service.sendAlert({}, { key: sender });
    const connectionUuid = newUuid();
    await insertConnection(
      { db: service.database.db, by: adminPrincipal(), now: readClock },
      {
        connectionUuid,
        organizationUuid: alert.organization_uuid,
        connectorKind: 'endpoint-detection',
        instanceName: 'plant endpoints',
        description: '',
        settings: {},
        plainCredentials: {},
        secrets: [],
        remoteAgentUuid: agent.agent_id,
        needsSecondPerson: false,
        feedsIntake: false,
      },
    );
    await handOverStep(asService(service.database.db), {
      agentUuid: agent.agent_id,
      connectionUuid,
      activityKey: 'workflow/run/1',
      taskToken: 'AAAA',
      request: { connectionId: connectionUuid, operationKey: 'x', alertId: alert.alert_id, runId: null, input: {}, attempt: 1 },
      skillKey: SkillKey.parse('endpointDetection.listMachines'),
      skillId: 'List machines',
      alertUuid: alert.alert_uuid,
    });
    const waiting = {
      connection_id: connectionUuid,
      instance_name: 'plant endpoints',
      skill_id: 'List machines',
      skill_key: 'endpointDetection.listMachines',
      reason: 'The remote agent far away has not claimed this step yet.',
      since: expect.any(Number),
      until: null,
      remote_agent: { agent_id: agent.agent_id, name: 'far away', last_seen_at: null },
    };
    expect((await service.request('GET', `/platformapi/alerts/${alert.alert_id}`)).body).toMatchObject({ waiting_on: [waiting] });
    // The connections of the organization are not the sender's business.
    const { body: seenBySender } = await service.request('GET', `/platformapi/alerts/${alert.alert_id}`, { key: sender });
    expect(seenBySender).toMatchObject({ alert_id: alert.alert_id, answers: [], waiting_on: [], under_way: [] });
    expect((await list()).find(({ name }) => name === 'far away')).toMatchObject({ waiting_steps: 1, waiting_since: expect.any(Number) });

    await service.request('DELETE', `/platformapi/remote-agents/${agent.agent_id}`);
    const revoked = { ...waiting, reason: 'The remote agent far away was revoked. Choose another agent for the connection.' };
    expect((await service.request('GET', `/platformapi/alerts/${alert.alert_id}`)).body).toMatchObject({ waiting_on: [revoked] });
  });
});
