import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimStep } from '../../db/agents/agent-steps.js';
import { newUuid } from '../../db/ids.js';
import type { PendingRuleChange } from '../../domain/response/rule-change.js';
import { SkillKey } from '../../domain/skill-key.js';
import { handOverStep } from '../../services/agents/hand-over-step.js';
import type { RemoteAgent } from '../../services/agents/wire.js';
import { insertConnection } from '../../services/connections/insert.js';
import type { Connection } from '../../services/connections/wire.js';
import { asService, readClock } from '../../services/context.js';
import { createConfirmedAgent } from '../support/agents.js';
import { adminPrincipal } from '../support/principal.js';
import { ago, changeAgents, changeConnections, changeUsers } from '../support/rows.js';
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

describe('a remote agent that is not confirmed', () => {
  const credentials = { tenant_id: 'tenant', client_id: 'client', client_secret: 'secret' };
  const endpoints = (more: object) => ({
    organization_code: 'DEMO',
    connector: 'endpoint-detection',
    instance_name: `routed ${newUuid()}`,
    settings: { auth_url: 'https://login.example', api_host: 'https://api.example', scope_resource: 'https://api.example' },
    ...more,
  });
  const post = (path: string, body: object, key?: string) =>
    service.request<Connection & PendingRuleChange>('POST', `/platformapi/${path}`, { body, ...(key === undefined ? {} : { key }) });
  const confirm = (agent: Created, key: string) => post(`remote-agents/${agent.agent_id}/confirm`, {}, key);
  const readConfirmedAt = async (agent: Created) => (await list()).find(({ agent_id }) => agent_id === agent.agent_id)?.confirmed_at;

  it('gets no secret by any path', async () => {
    const agent = (await create('not confirmed')).body;
    const route = { remote_agent: agent.agent_id };
    const { body: direct } = await post('connections', endpoints({ credentials }));
    const { body: routed } = await post(
      'connections',
      endpoints({ credentials, remote_agent: (await createConfirmedAgent(service, 'confirmed')).agent_id }),
    );
    const update = (id: string, body: object) => service.request('PATCH', `/platformapi/connections/${id}`, { body });
    const refusals = async () => [
      (await post('connections', endpoints({ credentials, ...route }))).status,
      (await post('credential-links', endpoints(route))).status,
      (await update(direct.connection_id, { ...route, credentials })).status,
      (await update(routed.connection_id, { ...route, credentials })).status,
    ];
    expect(await refusals()).toEqual([409, 409, 409, 409]);

    // A connection of an earlier version, whose agent keeps the secret that it has, and gets no other one.
    await changeConnections(service, { connectionUuid: direct.connection_id }, { remoteAgentUuid: agent.agent_id });
    const path = `connections/${direct.connection_id}`;
    expect((await post(`${path}/reconnect`, { credentials })).status).toBe(409);
    expect((await post(`${path}/credential-links`, {})).status).toBe(409);
    expect((await update(direct.connection_id, { credentials })).status).toBe(409);
    expect((await update(direct.connection_id, { description: 'routed as before', ...route })).status).toBe(200);
    const { alert_id: alertId } = await service.sendAlert();
    await handOverStep(asService(service.database.db), {
      agentUuid: agent.agent_id,
      connectionUuid: direct.connection_id,
      activityKey: 'workflow/run/2',
      taskToken: 'AAAA',
      request: { connectionId: direct.connection_id, operationKey: 'y', alertId, runId: null, input: {}, attempt: 1 },
      skillKey: SkillKey.parse('endpointDetection.listMachines'),
      skillId: 'List machines',
      alertUuid: null,
    });
    expect(await claimStep(service.database.pg, agent.agent_id)).toBeNull();
    await changeAgents(service, { agentUuid: agent.agent_id }, { enrolledBy: null });
    expect(await claimStep(service.database.pg, agent.agent_id)).toMatchObject({ connectionUuid: direct.connection_id });
  });

  it('is confirmed by a second person, and not by a second account of the first', async () => {
    const staff = await service.createPerson('admin', null);
    const [alias, stranger, colleague] = [
      await service.createPerson('admin', null),
      await service.createPerson('admin', null),
      await service.createPerson('admin', null),
    ];
    await changeUsers(service, { userUuid: staff.user_uuid }, { email: 'sam.staff@provider.example' });
    await changeUsers(service, { userUuid: alias.user_uuid }, { email: 'Sam.Staff+two@provider.example' });
    await changeUsers(service, { userUuid: stranger.user_uuid }, { vouchedAt: null });
    const agent = (await create('of the staff', { key: staff.api_key })).body;
    expect(agent.confirmed_at).toBeNull();
    expect(await confirm(agent, staff.api_key)).toMatchObject({ status: 202, body: { change: 'confirm-agent', not_counted: null } });
    expect((await confirm(agent, alias.api_key)).status).toBe(202);
    for (const key of [stranger.api_key, service.adminKey])
      expect(await confirm(agent, key)).toMatchObject({ status: 202, body: { not_counted: expect.any(String) } });
    expect(await readConfirmedAt(agent)).toBeNull();
    expect((await confirm(agent, colleague.api_key)).status).toBe(204);
    expect(await readConfirmedAt(agent)).toEqual(expect.any(Number));
    expect((await post('connections', endpoints({ credentials, remote_agent: agent.agent_id }))).status).toBe(201);
  });

  it('that a key created is confirmed by two people, or by one of the organization itself', async () => {
    const [one, other] = [await service.createPerson('admin', null), await service.createPerson('admin', null)];
    const agent = (await create('of a key')).body;
    expect((await confirm(agent, one.api_key)).status).toBe(202);
    expect((await confirm(agent, other.api_key)).status).toBe(204);
    const second = (await create('of a key too')).body;
    const customer = await service.createPerson('admin', 'DEMO');
    await changeUsers(service, { userUuid: customer.user_uuid }, { vouchedAt: null });
    expect((await confirm(second, customer.api_key)).status).toBe(202);
    await changeUsers(service, { userUuid: customer.user_uuid }, { vouchedAt: ago({}) });
    expect((await confirm(second, customer.api_key)).status).toBe(204);
    const foreign = await service.createPerson('admin', 'OTHER');
    expect((await confirm(second, foreign.api_key)).status).toBe(404);
  });
});
