import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../db/ids.js';
import { SkillKey } from '../../domain/skill-key.js';
import { handOverStep } from '../../services/agents/hand-over-step.js';
import type { RemoteAgent } from '../../services/agents/wire.js';
import { insertConnection } from '../../services/connections/insert.js';
import { asService, readClock } from '../../services/context.js';
import { adminPrincipal } from '../support/principal.js';
import { startTestService, type TestService } from '../support/service.js';
import { type List, readAllPages } from './support/http.js';
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
