import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertApiKey, newApiKey } from '../../db/identity/api-keys.js';
import { lockActiveUser } from '../../db/identity/holdings.js';
import { newUuid } from '../../db/ids.js';
import type { AuditEntry } from '../../services/audit/wire.js';
import type { Connection } from '../../services/connections/wire.js';
import type { Belongings } from '../../services/users/wire.js';
import { ago, changeAgents, changeUsers } from '../support/rows.js';
import { startTestService, type TestService, waitFor } from '../support/service.js';
import { inviteAndJoin } from '../support/users.js';
import { createBelongings, EVERYTHING } from './support/belongings.js';
import { type List, type ProblemBody, send, startSecondApi } from './support/http.js';
import { createOrganization, investigate } from './support/records.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const deactivate = (userUuid: string, key = service.adminKey) =>
  service.request('POST', `/platformapi/users/${userUuid}/deactivate`, { key });
const listAudit = async (query: string) => (await service.request<List<AuditEntry>>('GET', `/platformapi/audit?${query}`)).body.items;

describe('a deactivation', () => {
  it('ends everything that the person left, at once in every process, and nothing of others', async () => {
    const [leaver, colleague] = [await inviteAndJoin(service, 'admin'), await inviteAndJoin(service, 'admin')];
    const left = await createBelongings(service, leaver.session, leaver.userUuid);
    const others = await createBelongings(service, colleague.session, colleague.userUuid);
    expect([await left.listWorking(), await others.listWorking()]).toEqual([EVERYTHING, EVERYTHING]);
    const second = await startSecondApi(service);
    const askSecond = async () => (await send(`${second.url}/platformapi/session`, { key: left.script.api_key })).status;
    expect(await askSecond()).toBe(200);

    expect((await deactivate(leaver.userUuid, colleague.session)).status).toBe(204);
    expect([await left.listWorking(), await others.listWorking()]).toEqual([[], EVERYTHING]);
    await waitFor('the second process to refuse the key', async () => (await askSecond()) === 401);

    const because = { user_uuid: leaver.userUuid, because: 'deactivated' };
    for (const [action, target] of [
      ['api-key.revoke', left.personal.key_uuid],
      ['api-key.revoke', left.forwarder.key_uuid],
      ['api-key.revoke', left.ofScript.key_uuid],
      ['invitation.revoke', left.invitation.invitation_uuid],
      ['remote-agent.revoke', left.agent.agent_id],
      ['credential-link.revoke', left.link.link_id],
    ])
      expect(await listAudit(`action=${action}&target=${target}`), action).toMatchObject([
        { principal_name: colleague.name, organization_code: 'DEMO', details: because },
      ]);
    const ended = { sessions: 1, chat_accounts: 1, chat_link_codes: 1, rule_changes: 0 };
    expect(await listAudit(`action=user.end-access&target=${leaver.userUuid}`)).toMatchObject([
      {
        details: {
          because: 'deactivated',
          ended: { ...ended, api_keys: 1, service_keys: 3, invitations: 1, credential_links: 1, remote_agents: 1 },
        },
      },
    ]);
  });

  it('shows the admins that no agent serves a connection any more', async () => {
    const leaver = await inviteAndJoin(service, 'admin');
    const { connection, agent } = await createBelongings(service, leaver.session, leaver.userUuid);
    await deactivate(leaver.userUuid);
    const { body } = await service.request<Connection>('GET', `/platformapi/connections/${connection?.connection_id}`);
    const reason = `The remote agent ${agent.name} was revoked. Choose another agent for the connection.`;
    expect(body).toMatchObject({ state: 'broken', state_reason: reason });
    const events = await service.database.pg`
      select 1 from notification_events where name = 'connection.broken' and subject_uuid = ${connection?.connection_id ?? ''}`;
    expect(events).toHaveLength(1);
  });

  it('that is repeated ends what an earlier version left', async () => {
    const leaver = await inviteAndJoin(service, 'admin');
    const left = await createBelongings(service, leaver.session, leaver.userUuid);
    await changeUsers(service, { userUuid: leaver.userUuid }, { deactivatedAt: ago({}) });
    expect(await left.listWorking()).toEqual(expect.arrayContaining(['forwarder', 'script', 'invitation', 'agent', 'credential link']));
    expect((await deactivate(leaver.userUuid)).status).toBe(204);
    expect(await left.listWorking()).toEqual([]);
  });
});

describe('a command that runs during the deactivation of its caller', () => {
  const define = { connector: 'threat-intelligence', settings: { api_host: 'https://intelligence.example' } };
  it.each([
    ['api-keys', { name: 'late key', role: 'sender', service: 'late' }],
    ['invitations', { email: 'late@corp.example', role: 'admin' }],
    ['remote-agents', { name: 'late agent' }],
    ['credential-links', { ...define, instance_name: 'late link' }],
    ['session/chat-identities/code', null],
  ])('POST %s leaves nothing behind', async (path, given) => {
    const leaver = await inviteAndJoin(service, 'admin');
    const { db, pg } = service.database;
    const body = given === null ? {} : { ...given, organization_code: 'DEMO' };
    let asked: Promise<{ status: number }> = Promise.resolve({ status: 0 });
    let isAnswered = false;
    await db.transaction(async (transaction) => {
      await changeUsers({ database: { db: transaction } }, { userUuid: leaver.userUuid }, { deactivatedAt: ago({}) });
      asked = service.request('POST', `/platformapi/${path}`, { key: leaver.session, body }).finally(() => {
        isAnswered = true;
      });
      await waitFor('the command to wait for the deactivation', async () => {
        const waiting = await pg`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ilike '%users%for share%'`;
        return isAnswered || waiting.length > 0;
      });
    });
    expect((await asked).status).toBe(401);
  });

  it('is ended by it if the command was first', async () => {
    const leaver = await inviteAndJoin(service, 'admin');
    const { db, pg } = service.database;
    let done: Promise<{ status: number }> = Promise.resolve({ status: 0 });
    await db.transaction(async (transaction) => {
      await lockActiveUser(transaction, leaver.userUuid);
      done = deactivate(leaver.userUuid);
      await waitFor('the deactivation to wait', async () => {
        const waiting = await pg`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ilike '%users%for update%'`;
        return waiting.length > 0;
      });
      const key = { keyUuid: newUuid(), name: 'first', role: 'sender', service: 'first', createdAt: ago({}) } as const;
      await insertApiKey(transaction, newApiKey(), { ...key, holderUuid: leaver.userUuid });
    });
    expect((await done).status).toBe(204);
    expect(await pg`select 1 from api_keys where name = 'first' and revoked_at is null`).toEqual([]);
  });
});

describe('the belongings of a leaver', () => {
  const read = (userUuid: string, key = service.adminKey) =>
    service.request<Belongings>('GET', `/platformapi/users/${userUuid}/belongings`, { key });
  const handOver = (userUuid: string, body: object, key = service.adminKey) =>
    service.request<Belongings & ProblemBody>('POST', `/platformapi/users/${userUuid}/hand-over`, { key, body });

  it('are listed, and survive the deactivation once another admin took them over', async () => {
    const [leaver, successor] = [await inviteAndJoin(service, 'admin'), await inviteAndJoin(service, 'admin')];
    const left = await createBelongings(service, leaver.session, leaver.userUuid);
    await investigate(service, await service.sendAlert());
    const [first] = (await service.request<List<{ case_id: string }>>('GET', '/platformapi/cases?limit=1')).body.items;
    await service.request('PATCH', `/platformapi/cases/${first?.case_id}`, { body: { assignee: leaver.name } });
    const listed = await read(leaver.userUuid, successor.session);
    expect(listed.body).toMatchObject({ own_keys: 1, open_cases: 1, waiting_proposals: 0 });
    expect(listed.body.items.map(({ kind, can_hand_over }) => `${kind} ${can_hand_over}`)).toEqual([
      ...Array.from({ length: 3 }, () => 'service-key true'),
      'remote-agent true',
      'invitation true',
      'credential-link true',
    ]);
    const reply = await handOver(leaver.userUuid, { to_user_id: successor.userUuid });
    expect(reply).toMatchObject({ status: 200, body: { items: [], own_keys: 1, open_cases: 0 } });
    await deactivate(leaver.userUuid);
    expect(await left.listWorking()).toEqual(['forwarder', 'script', 'key of script', 'invitation', 'credential link', 'agent']);
    expect(await listAudit(`action=api-key.hand-over&target=${left.script.key_uuid}`)).toMatchObject([
      { details: { from: leaver.userUuid, to: successor.userUuid, to_name: successor.name } },
    ]);
    await deactivate(successor.userUuid);
    expect(await left.listWorking()).toEqual([]);
  });

  it('go only to an active admin of their organization, and not by the leaver', async () => {
    await createOrganization(service, 'ELSEWHERE');
    const [leaver, admin] = [await inviteAndJoin(service, 'admin'), await inviteAndJoin(service, 'admin')];
    const left = await createBelongings(service, leaver.session, leaver.userUuid);
    const [analyst, elsewhere, gone] = [
      await inviteAndJoin(service, 'analyst'),
      await inviteAndJoin(service, 'admin', 'ELSEWHERE'),
      await inviteAndJoin(service, 'admin'),
    ];
    await deactivate(gone.userUuid);
    for (const { userUuid } of [analyst, elsewhere, gone, leaver])
      expect((await handOver(leaver.userUuid, { to_user_id: userUuid }, admin.session)).status).toBe(422);
    for (const key of [leaver.session, left.personal.api_key, left.script.api_key])
      expect((await handOver(leaver.userUuid, { to_user_id: admin.userUuid }, key)).status).toBe(409);
    expect((await handOver(leaver.userUuid, { to_user_id: elsewhere.userUuid }, elsewhere.session)).status).toBe(404);
    expect((await read(leaver.userUuid, elsewhere.session)).status).toBe(404);
    expect((await read(leaver.userUuid)).body.items).toHaveLength(6);
    const one = await handOver(leaver.userUuid, { to_user_id: admin.userUuid, ids: [left.forwarder.key_uuid] }, admin.session);
    expect(one.body.items).toHaveLength(5);
    await changeAgents(service, { agentUuid: left.agent.agent_id }, { confirmedAt: null });
    const refused = await handOver(leaver.userUuid, { to_user_id: admin.userUuid, ids: [left.agent.agent_id] }, admin.session);
    expect(refused.status).toBe(409);
  });
});
