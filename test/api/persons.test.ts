import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { vouch } from '../../cli/vouch-for-users.js';
import type { Role } from '../../domain/identity/identity.js';
import { EventGroup } from '../../domain/notification/inbox.js';
import type { Proposal } from '../../domain/response/proposal.js';
import type { ResponseRules } from '../../domain/response/response-rules.js';
import type { PendingRuleChange } from '../../domain/response/rule-change.js';
import type { ApiKey, CreatedApiKey } from '../../services/api-keys/wire.js';
import type { AuditEntry } from '../../services/audit/wire.js';
import { prepareSetUp } from '../../services/installation/prepare-set-up.js';
import type { CreatedInvitation } from '../../services/invitations/wire.js';
import type { Session } from '../../services/sessions/wire.js';
import { changeMemberships, changeUsers, deleteMembershipsOf } from '../support/rows.js';
import { startTestService, type TestService, waitFor } from '../support/service.js';
import { storeConnection } from '../support/stored-connection.js';
import { join, readToken } from '../support/users.js';
import { type ProblemBody, readAllPages } from './support/http.js';
import { createOrganization, investigate, proposeIsolation } from './support/records.js';

let service: TestService;
let connectionId: string;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  await createOrganization(service, 'OTHER');
  connectionId = await storeConnection(service.database.db, { name: 'Endpoints', needsSecondPerson: true });
});
afterAll(() => service.stop());

async function propose(): Promise<string> {
  const alert = await service.sendAlert();
  await investigate(service, alert);
  return proposeIsolation(service, alert.alert_id, connectionId);
}

const approve = (proposalId: string, key: string) =>
  service.request<Proposal & ProblemBody>('POST', `/platformapi/proposals/${proposalId}/approve`, { key, body: {} });

const notCountedKey = expect.stringContaining('The API key of a service never counts');

const audited = async (target: string, action: string) =>
  (await service.request<{ items: AuditEntry[] }>('GET', `/platformapi/audit?target=${target}&action=${action}`)).body.items;

let made = 0;
async function createKeyAs(key: string, more: { name?: string; role?: Role; service?: string; organization_code?: string | null } = {}) {
  made += 1;
  const body = { name: `key ${made}`, role: 'admin', organization_code: 'DEMO', ...more };
  return service.request<CreatedApiKey & ProblemBody>('POST', '/platformapi/api-keys', { key, body });
}

describe('an approval', () => {
  it('counts a person once, with every key of the person, and no key of a service', async () => {
    const proposalId = await propose();
    const dana = await service.createPerson('admin');
    const own = (await createKeyAs(dana.api_key)).body.api_key;
    const ofService = (await createKeyAs(dana.api_key, { service: 'robot' })).body.api_key;
    const ofKeyOfService = (await createKeyAs(ofService, { service: 'another robot' })).body.api_key;
    expect(await approve(proposalId, ofService)).toMatchObject({
      status: 200,
      body: { state: 'waiting', approvals_needed: 2, approvals_given: 0, decisions: [{ not_counted: notCountedKey }] },
    });
    expect(await approve(proposalId, dana.api_key)).toMatchObject({ status: 200, body: { state: 'waiting', approvals_given: 1 } });
    for (const key of [ofService, dana.api_key, own, ofKeyOfService]) {
      const { status, body } = await approve(proposalId, key);
      expect({ status, detail: body.detail }).toEqual({ status: 409, detail: expect.stringContaining('You already approved') });
    }
    const robin = await service.createPerson('analyst', 'DEMO', 'Robin Approver');
    expect(await approve(proposalId, robin.api_key)).toMatchObject({ status: 200, body: { state: 'approved' } });
  });

  it('does not count ADMIN_API_KEY and its keys, also not together with the key of a person', async () => {
    const proposalId = await propose();
    const dana = await service.createPerson('admin');
    expect(await approve(proposalId, dana.api_key)).toMatchObject({ status: 200, body: { state: 'waiting', approvals_given: 1 } });
    expect(await approve(proposalId, service.adminKey)).toMatchObject({ status: 200, body: { state: 'waiting', approvals_given: 1 } });
    const created = await service.createKey('admin', null);
    expect(await approve(proposalId, created.api_key)).toMatchObject({ status: 409, body: { detail: notCountedKey } });
  });

  it('does not count an invited account before the operator vouches for it', async () => {
    const proposalId = await propose();
    const mallory = (await service.createPerson('admin')).api_key;
    const email = `${randomUUID()}@second.example`;
    const invited = await service.request<CreatedInvitation>('POST', '/platformapi/invitations', {
      key: mallory,
      body: { email, role: 'admin', organization_code: 'DEMO' },
    });
    const joined = await join(service, { token: invited.body.token, name: 'Second Mallory' });
    const second = readToken(joined.headers);
    expect(joined.body.approvals_not_counted).toContain('users vouch');
    expect((await service.request<Session>('GET', '/platformapi/session', { key: mallory })).body.approvals_not_counted).toBeNull();

    expect(await approve(proposalId, mallory)).toMatchObject({ status: 200, body: { state: 'waiting', approvals_given: 1 } });
    const { body } = await approve(proposalId, second);
    expect(body).toMatchObject({ state: 'waiting', approvals_needed: 2, approvals_given: 1, needs_two_people: true });
    expect(body.decisions.map(({ not_counted }) => not_counted)).toEqual([null, expect.stringContaining('users vouch')]);
    expect(await approve(proposalId, second)).toMatchObject({ status: 409, body: { detail: expect.stringContaining('users vouch') } });

    const printed: string[] = [];
    const unknown = vouch(service.settings, [`nobody.${email}`], (line) => printed.push(line));
    await expect(unknown).rejects.toThrow('No active local account');
    expect((await prepareSetUp(service.settings.DATABASE_URL ?? '', { showsLinks: false })).vouchCommand).toBe(
      `alert-investigator users vouch ${email}`,
    );
    await vouch(service.settings, [email.toUpperCase()], (line) => printed.push(line));
    expect(printed).toEqual([expect.stringContaining('Second Mallory')]);
    expect((await prepareSetUp(service.settings.DATABASE_URL ?? '', { showsLinks: false })).vouchCommand).toBeNull();
    expect((await audited(joined.body.user_uuid ?? '', 'user.vouch')).map(({ principal_name }) => principal_name)).toEqual(['service']);
    expect(await approve(proposalId, second), 'the same approval counts now').toMatchObject({ status: 200, body: { state: 'approved' } });
  });

  it('does not count a second account of the same mailbox', async () => {
    const proposalId = await propose();
    const [one, two] = [await service.createPerson('admin'), await service.createPerson('admin')];
    const [{ email } = { email: '' }] = await service.database.pg<
      { email: string }[]
    >`select email from users where user_uuid = ${one.user_uuid}`;
    await changeUsers(service, { userUuid: two.user_uuid }, { email: email.toUpperCase().replace('@', '+second@') });
    await approve(proposalId, one.api_key);
    const { body } = await approve(proposalId, two.api_key);
    expect(body).toMatchObject({ state: 'waiting', approvals_given: 1 });
    expect(body.decisions.map(({ not_counted }) => not_counted).filter((reason) => reason !== null)).toEqual([
      expect.stringContaining('same email address'),
    ]);
  });

  it('shows the name of the user, and the audit log shows user and key', async () => {
    const proposalId = await propose();
    const nia = await service.createPerson('admin', 'DEMO', 'Nia Osei');
    const { body } = await approve(proposalId, nia.api_key);
    expect(body.decisions).toMatchObject([{ by: 'Nia Osei' }]);
    const ofService = await createKeyAs(nia.api_key, { name: 'night robot', service: 'robot' });
    const { body: audit } = await service.request<{ items: AuditEntry[] }>('GET', `/platformapi/audit?target=${proposalId}`);
    expect(audit.items).toMatchObject([
      { principal_uuid: nia.key_uuid, principal_name: 'Nia Osei', user_uuid: nia.user_uuid, key_name: 'key of Nia Osei' },
    ]);
    await service.request('POST', '/platformapi/response/stop', { key: ofService.body.api_key, body: { reason: 'Halt.' } });
    const { body: stopped } = await service.request<{ items: AuditEntry[] }>('GET', '/platformapi/audit?action=response.stop');
    expect(stopped.items[0]).toMatchObject({ principal_name: 'night robot', user_uuid: null, key_name: 'night robot' });
  });
});

describe('a change that relaxes a rule', () => {
  const raise = (key: string, writes_per_hour: number) =>
    service.request<PendingRuleChange>('PATCH', '/platformapi/response', { key, body: { writes_per_hour, organization_code: 'DEMO' } });

  it('is not confirmed by a key that the requester created', async () => {
    const dana = await service.createPerson('admin');
    const own = (await createKeyAs(dana.api_key, { service: 'robot' })).body.api_key;
    for (const key of [dana.api_key, own, dana.api_key]) expect((await raise(key, 77)).status).toBe(202);
    expect(await raise((await service.createPerson('admin')).api_key, 77)).toMatchObject({ status: 200, body: { writes_per_hour: 77 } });
  });

  it('is confirmed only by an account that counts, which the request of another one does not replace', async () => {
    const dana = await service.createPerson('admin');
    const invited = await service.createPerson('admin');
    await changeUsers(service, { userUuid: invited.user_uuid }, { vouchedAt: null });
    expect(await raise(dana.api_key, 88)).toMatchObject({ status: 202, body: { asked_by: dana.name, not_counted: null } });
    for (const key of [invited.api_key, service.adminKey])
      expect(await raise(key, 88)).toMatchObject({ status: 202, body: { not_counted: expect.any(String) } });
    const { body } = await service.request<ResponseRules>('GET', '/platformapi/response?organization_code=DEMO');
    expect(body.pending_changes).toMatchObject([{ asked_by: dana.name, value: 88, not_counted: null }]);
    expect(await raise((await service.createPerson('admin')).api_key, 88)).toMatchObject({ status: 200, body: { writes_per_hour: 88 } });
  });

  it('is announced to each admin of the organization, whatever their preferences are', async () => {
    const [asks, confirms, reads, analyst] = [
      await service.createPerson('admin'),
      await service.createPerson('admin'),
      await service.createPerson('admin'),
      await service.createPerson('analyst'),
    ];
    await service.request('PUT', '/platformapi/inbox/preferences', {
      key: reads.api_key,
      body: { groups: Object.fromEntries(EventGroup.options.map((group) => [group, { wanted: 'none' }])) },
    });
    await raise(asks.api_key, 99);
    await raise(confirms.api_key, 99);
    const listed = async ({ api_key: key }: { api_key: string }) => {
      const { body } = await service.request<{ items: { event: string; title: string }[] }>('GET', '/platformapi/inbox', { key });
      return body.items
        .filter(({ title }) => title.endsWith('the hourly limit to 99'))
        .map(({ event }) => event)
        .sort();
    };
    await waitFor('both events', async () => (await listed(reads)).length === 2);
    expect(await listed(reads)).toEqual(['rule.change_requested', 'rule.relaxed']);
    expect(await listed(asks)).toEqual(['rule.relaxed']);
    expect(await listed(analyst)).toEqual([]);
  });
});

describe('an API key', () => {
  it('belongs to the user who created it, or to a service', async () => {
    const dana = await service.createPerson('admin');
    expect((await createKeyAs(dana.api_key, { name: 'laptop' })).body).toMatchObject({ owner: dana.name, service: null });
    expect((await createKeyAs(dana.api_key, { name: 'forwarder', service: 'SIEM' })).body).toMatchObject({ owner: null, service: 'SIEM' });
    expect((await createKeyAs(service.adminKey, { name: 'old style' })).body).toMatchObject({ owner: null, service: 'old style' });
    const listed = await readAllPages<ApiKey>(service, '/platformapi/api-keys', { limit: 200 });
    const shown = listed.map(({ name, owner, service: program }) => [name, owner, program]);
    expect(shown).toEqual(
      expect.arrayContaining([
        ['laptop', dana.name, null],
        ['forwarder', null, 'SIEM'],
        ['old style', null, 'old style'],
      ]),
    );
  });

  it('has a name that is unique in its organization, also among keys for all organizations and users', async () => {
    const create = (name: string, organization_code: string | null = 'DEMO') => createKeyAs(service.adminKey, { name, organization_code });
    const first = await create('Forwarder 7');
    expect(first.status).toBe(201);
    expect((await create('forwarder 7')).status).toBe(409);
    expect((await create('Forwarder 7', 'OTHER')).status).toBe(201);
    await service.request('DELETE', `/platformapi/api-keys/${first.body.key_uuid}`);
    expect((await create('forwarder 7')).status).toBe(201);
    expect((await create('everywhere', null)).status).toBe(201);
    expect((await create('Everywhere')).status).toBe(409);
    expect((await create('admin_api_key', null)).status).toBe(409);
    const { name } = await service.createPerson('analyst', 'DEMO', 'Taken Name');
    expect((await create(name.toUpperCase())).status).toBe(409);
    // The reply does not reveal the users of another organization.
    expect((await create(name, 'OTHER')).status).toBe(201);
    const both = await Promise.all([create('at once'), create('at once')]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('never has more rights than its owner', async () => {
    const dana = await service.createPerson('admin');
    const robot = (await createKeyAs(dana.api_key, { service: 'robot' })).body.api_key;
    const read = async (key: string) => (await service.request('GET', '/platformapi/api-keys', { key })).status;
    expect(await read(dana.api_key)).toBe(200);
    const { pg } = service.database;
    await changeMemberships(service, { userUuid: dana.user_uuid }, { role: 'analyst' });
    await pg`notify api_keys_changed`;
    await waitFor('the key to be answered 403', async () => (await read(dana.api_key)) === 403);
    await deleteMembershipsOf(service, dana.user_uuid);
    await pg`notify api_keys_changed`;
    await waitFor('the key to be answered 401', async () => (await read(dana.api_key)) === 401);
    expect(await read(robot)).toBe(200);
  });

  it('is also accepted as a bearer token, which has precedence over the cookie', async () => {
    const { api_key: sender } = await service.createKey('sender');
    const read = (authorization: string, key: string | null = null) =>
      service.request('GET', '/platformapi/api-keys', { key, headers: { authorization } });
    expect((await read(`Bearer ${service.adminKey}`)).status).toBe(200);
    expect((await read(`bearer ${service.adminKey}`)).status).toBe(200);
    expect((await read(`Bearer ${sender}`, service.adminKey)).status).toBe(403);
    expect((await read('Bearer unknown', service.adminKey)).status).toBe(401);
    expect((await read(`Basic ${service.adminKey}`)).status).toBe(401);
  });
});
