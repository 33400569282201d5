import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteEndedLinks } from '../../db/connections/credential-links.js';
import { toDay } from '../../domain/connection/secret-expiry.js';
import { openCredentials } from '../../platform/keyring.js';
import { createLogger } from '../../platform/log.js';
import type { RemoteAgent } from '../../services/agents/wire.js';
import type { AuditEntry } from '../../services/audit/wire.js';
import type { Connection } from '../../services/connections/wire.js';
import type { CreatedCredentialLink, CredentialLink, Handover } from '../../services/credential-links/wire.js';
import { createConfirmedAgent } from '../support/agents.js';
import { ago, changeAgents, changeCredentialLinks } from '../support/rows.js';
import { startTestService, type TestService } from '../support/service.js';
import { inviteAndJoin } from '../support/users.js';
import type { List, ProblemBody } from './support/http.js';
import { countRows, createOrganization } from './support/records.js';

const SECRET = 'canary-of-the-customer-0123456789';
const LINKS = '/platformapi/credential-links';
let service: TestService;
let logged = '';
beforeAll(async () => {
  const to = new Writable({
    write(chunk, _encoding, done) {
      logged += chunk;
      done();
    },
  });
  service = await startTestService({ worker: false, log: createLogger('trace', 'test', { to }) });
});
afterAll(() => service.stop());

let made = 0;
const define = (more: object = {}) => {
  made += 1;
  const settings = { api_host: 'https://intelligence.example' };
  return { organization_code: 'DEMO', connector: 'threat-intelligence', instance_name: `By link ${made}`, settings, ...more };
};
const ask = async (more: object = {}) => {
  const { status, body } = await service.request<CreatedCredentialLink>('POST', LINKS, { body: define(more) });
  expect(status).toBe(201);
  return { ...body, token: body.path.replace('/handover#', '') };
};
const connect = async (more: object = {}) =>
  (await service.request<Connection>('POST', '/platformapi/connections', { body: define({ credentials: { api_key: 'old' }, ...more }) }))
    .body;
const askAgain = async (connectionId: string) => {
  const { status, body } = await service.request<CreatedCredentialLink>(
    'POST',
    `/platformapi/connections/${connectionId}/credential-links`,
    {
      body: {},
    },
  );
  expect(status).toBe(201);
  return { ...body, token: body.path.replace('/handover#', '') };
};
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const open = <Body = Handover>(token: string) =>
  service.request<Body>('GET', '/platformapi/handover', { key: null, headers: bearer(token) });
const submit = (token: string, body: unknown = { credentials: { api_key: SECRET } }, to = service) =>
  to.request<ProblemBody>('POST', '/platformapi/handover', { key: null, headers: bearer(token), body });
const list = async (query = '', key = service.adminKey) =>
  (await service.request<List<CredentialLink>>('GET', `${LINKS}${query}`, { key })).body.items;
const find = async (name: string) =>
  (await service.request<List<Connection>>('GET', '/platformapi/connections?limit=200')).body.items.find(
    ({ instance_name }) => instance_name === name,
  );
const audit = async (target: string) =>
  (await service.request<List<AuditEntry>>('GET', `/platformapi/audit?target=${target}`)).body.items.map(
    ({ action, principal_name, details }) => ({
      action,
      principal_name,
      details,
    }),
  );

async function readSecrets(connectionUuid: string): Promise<Record<string, unknown>> {
  const { pg } = service.database;
  const [row] = await pg<{ organizationUuid: string; plainCredentials: Record<string, unknown> }[]>`
    select organization_uuid as "organizationUuid", plain_credentials as "plainCredentials" from connections where connection_uuid = ${connectionUuid}`;
  const secrets = await pg<{ field: string; masterKeyId: string; wrappedKey: string; ciphertext: string }[]>`
    select field, master_key_id as "masterKeyId", wrapped_key as "wrappedKey", ciphertext from connection_secrets where connection_uuid = ${connectionUuid}`;
  return openCredentials({ connectionUuid, ...(row ?? expect.fail('There is no such connection.')), secrets }, service.keyring);
}

describe('a link for a new connection', () => {
  it('creates it with the credentials of the customer, once, and no staff sees them', async () => {
    const link = await ask({ description: 'for the night shift' });
    expect(link).toMatchObject({ organization_code: 'DEMO', connector: 'threat-intelligence', connection_id: null });
    expect(link.token).toMatch(/^link_[\w-]{43}$/);
    expect(link.expires_at - link.created_at).toBe(72 * 3_600);
    expect(await list('?connector=threat-intelligence')).toContainEqual(expect.objectContaining({ link_id: link.link_id }));
    expect(await list('?connector=travel-booking')).toEqual([]);
    expect(await find(link.instance_name)).toBeUndefined();

    const day = toDay(Date.now() / 1000 + 9 * 86_400);
    expect((await submit(link.token, { credentials: { api_key: SECRET }, secret_expires_on: day })).status).toBe(204);
    const connection = (await find(link.instance_name)) ?? expect.fail('The connection does not exist.');
    expect(connection).toMatchObject({
      description: 'for the night shift',
      settings: { api_host: 'https://intelligence.example' },
      credentials: { api_key: { set: true } },
      secret_expires_on: day,
    });
    expect(await readSecrets(connection.connection_id)).toEqual({ api_key: SECRET });

    for (const { status, body } of [await submit(link.token), await open<ProblemBody>(link.token)])
      expect({ status, detail: body.detail }).toEqual({ status: 410, detail: expect.stringContaining('used already') });
    expect((await list()).map(({ link_id }) => link_id)).not.toContain(link.link_id);

    const details = expect.objectContaining({ link_id: link.link_id, instance_name: link.instance_name });
    const refused = { action: 'credential-link.refuse', principal_name: 'customer with a link', details };
    expect(await audit(link.link_id)).toEqual([{ action: 'credential-link.create', principal_name: 'first admin', details }]);
    expect(await audit(connection.connection_id)).toEqual([
      refused,
      refused,
      { action: 'credential-link.use', principal_name: 'customer with a link', details },
      { action: 'connection.create', principal_name: 'customer with a link', details: expect.anything() },
    ]);
    const [stored] = await service.database.pg`select * from credential_links where link_uuid = ${link.link_id}`;
    const { body: entries } = await service.request('GET', '/platformapi/audit?limit=200');
    for (const text of [JSON.stringify([stored, entries, connection, await list()]), logged]) {
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain(link.token);
    }
    expect(logged).not.toBe('');
  });

  it('stores the credentials of one of many concurrent submissions', async () => {
    const { token, instance_name } = await ask();
    const before = await countRows(service, 'connections');
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, n) => submit(token, { credentials: { api_key: `${SECRET} ${n}` } }).then((reply) => ({ n, ...reply }))),
    );
    const accepted = replies.filter(({ status }) => status === 204);
    expect(accepted).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 410)).toHaveLength(7);
    expect(await countRows(service, 'connections')).toBe(before + 1);
    const connection = await find(instance_name);
    expect(await readSecrets(connection?.connection_id ?? '')).toEqual({ api_key: `${SECRET} ${accepted[0]?.n}` });
  });

  it('stays open when the submission is refused', async () => {
    const { token, instance_name } = await ask();
    for (const [body, pointer] of [
      [{ credentials: {} }, '#/credentials/api_key'],
      [{ credentials: { api_key: SECRET, extra: 1 } }, '#/credentials/extra'],
      [{ credentials: { api_key: SECRET }, secret_expires_on: '2020-01-01' }, '#/secret_expires_on'],
      [{ credentials: { api_key: SECRET }, settings: { api_host: 'https://elsewhere.example' } }, ''],
    ] as const) {
      const { status, body: problem } = await submit(token, body);
      expect(status).toBe(422);
      if (pointer !== '') expect(problem.errors?.map((error) => error.pointer)).toEqual([pointer]);
      expect(JSON.stringify(problem)).not.toContain(SECRET);
    }
    expect((await submit(token, { credentials: { api_key: 'x'.repeat(70_000) } })).status).toBe(413);
    const { body: taken } = await service.request<Connection>('POST', '/platformapi/connections', {
      body: define({ instance_name, credentials: { api_key: 'other' } }),
    });
    const refused = await submit(token);
    expect({ status: refused.status, detail: refused.body.detail }).toEqual({ status: 409, detail: expect.stringContaining('not stored') });
    await service.request('DELETE', `/platformapi/connections/${taken.connection_id}`);
    expect((await submit(token)).status).toBe(204);
  });

  it.each<[string, object, string]>([
    ['an unknown connector', { connector: 'crystal-ball' }, '#/connector'],
    ['settings that the connector refuses', { settings: { api_host: 'http://x.example' } }, '#/settings/api_host'],
    ['more than 30 days', { valid_hours: 721 }, '#/valid_hours'],
    ['no time', { valid_hours: 0 }, '#/valid_hours'],
  ])('is refused with %s', async (_, more, pointer) => {
    const { status, body } = await service.request<ProblemBody>('POST', LINKS, { body: define(more) });
    expect({ status, pointer: body.errors?.[0]?.pointer }).toEqual({ status: 422, pointer });
  });

  it('is refused with credentials and with the name of a connection', async () => {
    expect((await service.request('POST', LINKS, { body: define({ credentials: { api_key: SECRET } }) })).status).toBe(422);
    const { instance_name } = await connect();
    expect((await service.request('POST', LINKS, { body: define({ instance_name }) })).status).toBe(409);
  });
});

describe('a link for an existing connection', () => {
  it('replaces its credentials', async () => {
    const credentials = { client_id: 'old id', client_secret: 'old secret' };
    const settings = { base_url: 'https://travel.example' };
    const { connection_id: id } = await connect({ connector: 'travel-booking', settings, credentials, secret_expires_on: '9999-12-31' });
    const { token, connection_id } = await askAgain(id);
    expect(connection_id).toBe(id);
    expect((await list(`?connection_id=${id}`)).map(({ created_by }) => created_by)).toEqual(['first admin']);
    const { body: shown } = await open(token);
    expect(JSON.stringify(shown)).not.toContain('old id');
    expect((await submit(token, { credentials: { client_secret: SECRET } })).status).toBe(422);
    expect((await submit(token, { credentials: { client_id: 'new id', client_secret: SECRET } })).status).toBe(204);
    expect(await readSecrets(id)).toEqual({ client_id: 'new id', client_secret: SECRET });
    const { body } = await service.request<Connection>('GET', `/platformapi/connections/${id}`);
    expect(body).toMatchObject({ state: 'untested', generation: 2, secret_expires_on: null });
    expect((await audit(id)).map(({ action }) => action)).toEqual([
      'credential-link.use',
      'connection.reconnect',
      'credential-link.create',
      'connection.create',
    ]);
  });

  it('ends when the connection sends its credentials elsewhere, or is deleted', async () => {
    const { connection_id: id } = await connect();
    const path = `/platformapi/connections/${id}`;
    const moved = await askAgain(id);
    await service.request('PATCH', path, {
      body: { description: 'changes no place', settings: { api_host: 'https://intelligence.example' } },
    });
    expect((await open(moved.token)).status).toBe(200);
    const elsewhere = { settings: { api_host: 'https://elsewhere.example' }, credentials: { api_key: 'again' } };
    expect((await service.request('PATCH', path, { body: elsewhere })).status).toBe(200);
    expect(await submit(moved.token)).toMatchObject({ status: 410, body: { detail: expect.stringContaining('revoked') } });
    const orphan = await askAgain(id);
    expect((await service.request('DELETE', path)).status).toBe(204);
    expect((await submit(orphan.token)).status).toBe(404);
  });
});

describe('a link whose credentials reach a remote agent', () => {
  const endpoints = (agent: string) =>
    define({
      connector: 'endpoint-detection',
      remote_agent: agent,
      settings: { auth_url: 'https://login.example', api_host: 'https://api.example', scope_resource: 'https://api.example' },
    });
  const credentials = { tenant_id: 'tenant', client_id: 'client', client_secret: SECRET };
  const request = (agent: string, key: string) =>
    service.request<CreatedCredentialLink & ProblemBody>('POST', LINKS, { key, body: endpoints(agent) });

  it('names requester, agent and host, and needs the consent of the customer', async () => {
    const staff = await inviteAndJoin(service, 'admin', null);
    const agent = await createConfirmedAgent(service, 'plant network');
    const { status, body } = await request(agent.agent_id, staff.session);
    expect(status).toBe(201);
    const token = body.path.replace('/handover#', '');
    expect((await open(token)).body).toMatchObject({
      asked_by: staff.name,
      remote_agent: { name: 'plant network' },
      settings: expect.arrayContaining([expect.objectContaining({ value: 'https://api.example' })]),
    });
    for (const refused of [{ credentials }, { credentials, consents_to_agent: false }])
      expect(await submit(token, refused)).toMatchObject({ status: 422, body: { errors: [{ pointer: '#/consents_to_agent' }] } });
    expect((await submit(token, { credentials, consents_to_agent: true })).status).toBe(204);
    const created = await service.request<List<Connection>>('GET', '/platformapi/connections?connector=endpoint-detection');
    const [connection] = created.body.items;
    expect((await audit(connection?.connection_id ?? '')).find(({ action }) => action === 'credential-link.use')).toMatchObject({
      details: { remote_agent: agent.agent_id },
    });
  });

  it('cannot be made for an agent that nobody confirmed, and a link of an earlier version stores nothing', async () => {
    const staff = await inviteAndJoin(service, 'admin', null);
    const body = { organization_code: 'DEMO', name: 'of the staff' };
    const enrolled = await service.request<RemoteAgent>('POST', '/platformapi/remote-agents', { key: staff.session, body });
    expect(enrolled.body.confirmed_at).toBeNull();
    expect(await request(enrolled.body.agent_id, staff.session)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('A second admin must confirm it') },
    });
    const agent = await createConfirmedAgent(service, 'of an earlier version');
    const token = (await request(agent.agent_id, staff.session)).body.path.replace('/handover#', '');
    await changeAgents(service, { agentUuid: agent.agent_id }, { confirmedAt: null, enrolledBy: null });
    expect((await submit(token, { credentials, consents_to_agent: true })).status).toBe(409);
    await changeAgents(service, { agentUuid: agent.agent_id }, { confirmedAt: ago({}) });
    expect((await submit(token, { credentials, consents_to_agent: true })).status).toBe(204);
  });
});

describe('a link that does not work', () => {
  it('is revoked by an admin, with an entry in the audit log', async () => {
    const { link_id, token } = await ask();
    for (let turn = 0; turn < 2; turn += 1) expect((await service.request('DELETE', `${LINKS}/${link_id}`)).status).toBe(204);
    expect(await submit(token)).toMatchObject({ status: 410, body: { detail: expect.stringContaining('revoked') } });
    expect((await audit(link_id)).map(({ action }) => action)).toEqual([
      'credential-link.refuse',
      'credential-link.revoke',
      'credential-link.create',
    ]);
  });

  it('has expired', async () => {
    const { link_id, token } = await ask({ valid_hours: 1 });
    await changeCredentialLinks(service, { linkUuid: link_id }, { expiresAt: ago({ minutes: 1 }) });
    expect(await submit(token)).toMatchObject({ status: 410, body: { detail: expect.stringContaining('expired') } });
    expect((await list()).map((link) => link.link_id)).not.toContain(link_id);
  });

  it('is deleted 30 days after its end', async () => {
    const { pg } = service.database;
    const links = [await ask(), await ask(), await ask(), await ask()].map(({ link_id }) => link_id);
    const [used = '', revoked = '', expired = '', isOpen = ''] = links;
    await changeCredentialLinks(service, { linkUuid: used }, { usedAt: ago({ days: 31 }) });
    await changeCredentialLinks(service, { linkUuid: revoked }, { revokedAt: ago({ days: 31 }) });
    await changeCredentialLinks(service, { linkUuid: expired }, { expiresAt: ago({ days: 29 }) });
    expect(await deleteEndedLinks(pg)).toBe(2);
    const kept = await pg<
      { link_uuid: string }[]
    >`select link_uuid from credential_links where link_uuid = any(${links}::uuid[]) order by 1`;
    expect(kept.map((row) => row.link_uuid)).toEqual([expired, isOpen].sort());
  });
});

it('belongs to its organization', async () => {
  await createOrganization(service, 'OTHER');
  const { api_key: stranger } = await service.createKey('admin', 'OTHER');
  const { connection_id: id } = await connect();
  const { link_id, token } = await askAgain(id);
  expect(await list('', stranger)).toEqual([]);
  expect(await list(`?connection_id=${id}`, stranger)).toEqual([]);
  expect((await service.request('DELETE', `${LINKS}/${link_id}`, { key: stranger })).status).toBe(404);
  expect((await service.request('POST', `/platformapi/connections/${id}/credential-links`, { key: stranger, body: {} })).status).toBe(404);
  expect((await service.request('POST', LINKS, { key: stranger, body: define() })).status).toBe(422);
  expect((await open(token)).status).toBe(200);
});
