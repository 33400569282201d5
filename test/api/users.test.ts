import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreatedApiKey } from '../../services/api-keys/wire.js';
import type { AuditEntry } from '../../services/audit/wire.js';
import { asService } from '../../services/context.js';
import { createSetUpLink } from '../../services/invitations/create-set-up-link.js';
import type { CreatedInvitation, Invitation } from '../../services/invitations/wire.js';
import type { Session, UserSession } from '../../services/sessions/wire.js';
import type { User } from '../../services/users/wire.js';
import { startTestService, type TestService, waitFor } from '../support/service.js';
import { inviteAndJoin, join, PASSWORD, readToken, setUp, signInWithPassword } from '../support/users.js';
import { type List, type ProblemBody, readAllPages, startSecondApi } from './support/http.js';
import { createOrganization } from './support/records.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  await createOrganization(service, 'OTHER');
});
afterAll(() => service.stop());

const read = async (key: string, path = 'session') => (await service.request('GET', `/platformapi/${path}`, { key })).status;
const invite = (body: object, key?: string) =>
  service.request<CreatedInvitation & ProblemBody>('POST', '/platformapi/invitations', { body, ...(key === undefined ? {} : { key }) });

describe('the set-up link', () => {
  it('creates the first admin once, and each start replaces it until then', async () => {
    const { db } = service.database;
    const [lost, token] = [(await createSetUpLink(asService(db))) ?? '', (await createSetUpLink(asService(db))) ?? ''];
    const given = { name: 'Ada First', email: 'ada@demo.example' };
    expect((await join(service, { token: lost, ...given })).status).toBe(401);
    expect(await join(service, { token, name: 'Ada First' })).toMatchObject({ status: 422, body: { errors: [{ pointer: '#/email' }] } });
    expect(await join(service, { token, ...given, password: 'short' })).toMatchObject({ status: 422 });
    const joined = await join(service, { token, ...given });
    expect(joined).toMatchObject({ status: 200, body: { name: 'Ada First', role: 'admin', organization_code: null, key_uuid: null } });
    expect((await join(service, { token, name: 'Eve', email: 'eve@demo.example' })).status).toBe(401);
    expect(await createSetUpLink(asService(db))).toBeNull();
    expect(await read(readToken(joined.headers), 'api-keys')).toBe(200);
  });
});

describe('an invitation', () => {
  it('makes one person a user with the role in the organization', async () => {
    const invited = await invite({ email: 'Dana@demo.example', role: 'analyst', organization_code: 'DEMO' });
    expect(invited).toMatchObject({ status: 201, body: { role: 'analyst', organization_code: 'DEMO', token: expect.any(String) } });
    const { token, invitation_uuid } = invited.body;
    const listed = await service.request<List<Invitation>>('GET', '/platformapi/invitations');
    expect(listed.body.items.map((each) => each.invitation_uuid)).toContain(invitation_uuid);
    expect(JSON.stringify(listed.body)).not.toContain(token);
    const both = await Promise.all([join(service, { token, name: 'Dana Vries' }), join(service, { token, name: 'Dana Other' })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    const users = await readAllPages<User>(service, '/platformapi/users', { limit: 50 });
    expect(users.find(({ email }) => email === 'Dana@demo.example')).toMatchObject({
      is_local: true,
      memberships: [{ organization_code: 'DEMO', role: 'analyst' }],
      deactivated_at: null,
    });
    const people = await service.request<List<{ name: string }>>('GET', '/platformapi/organizations/DEMO/people');
    expect(people.body.items.filter(({ name }) => name.startsWith('Dana '))).toHaveLength(1);
  });

  it('is worth nothing after it was revoked or has expired', async () => {
    const [revoked, expired] = [
      await invite({ email: 'a@demo.example', role: 'admin', organization_code: 'DEMO' }),
      await invite({ email: 'b@demo.example', role: 'admin', organization_code: 'DEMO' }),
    ];
    const path = `/platformapi/invitations/${revoked.body.invitation_uuid}`;
    expect((await service.request('DELETE', path)).status).toBe(204);
    expect((await service.request('DELETE', path)).status).toBe(404);
    await service.database
      .pg`update invitations set expires_at = now() - interval '1 minute' where invitation_uuid = ${expired.body.invitation_uuid}`;
    for (const { body } of [revoked, expired]) expect((await join(service, { token: body.token, name: 'Late' })).status).toBe(401);
  });

  it('grants no more than the admin has, and refuses a name or an address in use', async () => {
    const { session: admin } = await inviteAndJoin(service, 'admin', 'OTHER');
    expect((await invite({ email: 'c@demo.example', role: 'admin', organization_code: null }, admin)).status).toBe(422);
    expect((await invite({ email: 'c@demo.example', role: 'admin', organization_code: 'DEMO' }, admin)).status).toBe(422);
    expect((await invite({ email: 'c@demo.example', role: 'sender', organization_code: 'OTHER' }, admin)).status).toBe(422);
    expect((await invite({ email: 'nothing', role: 'analyst', organization_code: 'OTHER' }, admin)).status).toBe(422);
    const { name, email } = await inviteAndJoin(service);
    await service.createKey('analyst', 'DEMO', { name: 'Robot Seven' });
    const { token } = (await invite({ email, role: 'analyst', organization_code: 'OTHER' }, admin)).body;
    const wrong = async (given: string) => (await join(service, { token, name: given })).body;
    expect(await wrong('Somebody New')).toMatchObject({ status: 409, errors: [{ pointer: '#/email' }] });
    const other = (await invite({ email: 'd@demo.example', role: 'analyst', organization_code: 'OTHER' }, admin)).body.token;
    for (const taken of [name.toUpperCase(), 'robot seven'])
      expect(await join(service, { token: other, name: taken })).toMatchObject({ status: 409, body: { errors: [{ pointer: '#/name' }] } });
    expect((await join(service, { token: other, name: 'Free Name' })).status).toBe(200);
  });
});

describe('the sign-in with a password', () => {
  it('starts a session in an HttpOnly and SameSite=Lax cookie, under a new token, and ends the session before', async () => {
    const { email, session } = await inviteAndJoin(service);
    const { status, headers, body } = await signInWithPassword(service, email.toUpperCase(), PASSWORD, { cookie: `Session=${session}` });
    expect(status).toBe(200);
    const token = readToken(headers);
    expect(headers.get('set-cookie')).toBe(`Session=${token}; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax`);
    expect(token).toMatch(/^us_[\w-]{43}$/);
    expect(JSON.stringify(body)).not.toContain(token);
    expect([await read(token), await read(session)]).toEqual([200, 401]);
    const planted = `us_${'x'.repeat(43)}`;
    const fixed = await signInWithPassword(service, email, PASSWORD, { cookie: `Session=${planted}` });
    expect([readToken(fixed.headers) === planted, await read(planted)]).toEqual([false, 401]);
    const secure = await signInWithPassword(service, email, PASSWORD, { 'x-forwarded-proto': 'https' });
    expect(secure.headers.get('set-cookie')).toContain('; Secure');
  });

  it('stores neither the password nor the token', async () => {
    const { email, session } = await inviteAndJoin(service);
    const { pg } = service.database;
    const stored = JSON.stringify([
      await pg`select * from users`,
      await pg`select * from user_sessions`,
      await pg`select * from audit_log`,
    ]);
    for (const secret of [PASSWORD, session]) expect(stored).not.toContain(secret);
    const [user] = await pg<{ hash: string }[]>`select password_hash as hash from users where email = ${email}`;
    expect(user?.hash).toMatch(/^\$argon2id\$/);
  });

  it('gives the same reply for a wrong password and an unknown user', async () => {
    const { email } = await inviteAndJoin(service);
    const wrong = await signInWithPassword(service, email, 'a wrong password');
    const unknown = await signInWithPassword(service, 'unknown@demo.example');
    expect(wrong.status).toBe(401);
    expect(unknown.body).toEqual(wrong.body);
  });

  it('cannot be started from another site', async () => {
    const { email, session } = await inviteAndJoin(service, 'admin');
    expect((await signInWithPassword(service, email, PASSWORD, { origin: 'https://elsewhere.example' })).status).toBe(403);
    const foreign = { key: session, headers: { 'sec-fetch-site': 'cross-site' }, body: { reason: 'x' } };
    expect((await service.request('POST', '/platformapi/response/stop', foreign)).status).toBe(403);
  });
});

describe('a session', () => {
  it('ends without activity, and in any case at its absolute limit', async () => {
    const limits = { SESSION_IDLE_MINUTES: '10', SESSION_MAX_HOURS: '2' };
    const short = await startTestService({ worker: false, env: limits });
    try {
      const { session, email } = await setUp(short);
      const status = async (token: string) => (await short.request('GET', '/platformapi/session', { key: token })).status;
      const { pg } = short.database;
      const forget = async () => {
        await pg`notify api_keys_changed`;
      };
      await pg`update user_sessions set last_seen_at = now() - interval '9 minutes'`;
      await short.restartApi();
      expect(await status(session)).toBe(200);
      const [seen] = await pg<{ age: number }[]>`select extract(epoch from now() - last_seen_at)::float8 as age from user_sessions`;
      expect(seen?.age).toBeLessThan(60);
      await pg`update user_sessions set last_seen_at = now() - interval '11 minutes'`;
      await forget();
      await waitFor('the idle session to end', async () => (await status(session)) === 401);
      const again = readToken((await signInWithPassword(short, email)).headers);
      await pg`update user_sessions set ends_at = now()`;
      await forget();
      await waitFor('the old session to end', async () => (await status(again)) === 401);
    } finally {
      await short.stop();
    }
  });

  it('is listed, and its user or an admin can end it in every process at once', async () => {
    const user = await inviteAndJoin(service);
    const second = readToken((await signInWithPassword(service, user.email, PASSWORD, { 'user-agent': 'Night browser' })).headers);
    const list = async (key: string) =>
      (await service.request<List<UserSession>>('GET', '/platformapi/sessions?limit=200', { key })).body.items;
    const own = await list(user.session);
    expect(own.map(({ name, is_current }) => [name, is_current])).toEqual([
      [user.name, true],
      [user.name, false],
    ]);
    expect(own[1]?.client).toBe('Night browser');
    const stranger = await inviteAndJoin(service);
    const path = `/platformapi/sessions/${own[1]?.session_uuid}`;
    expect((await service.request('DELETE', path, { key: stranger.session })).status).toBe(404);
    const other = await startSecondApi(service);
    const readOther = async () => (await fetch(`${other.url}/platformapi/session`, { headers: { cookie: `Session=${second}` } })).status;
    expect(await readOther()).toBe(200);
    expect((await service.request('DELETE', path, { key: user.session })).status).toBe(204);
    expect(await read(second)).toBe(401);
    await waitFor('the other process to refuse the session', async () => (await readOther()) === 401);
    await other.close();
    const { session: admin } = await inviteAndJoin(service, 'admin');
    const seen = (await list(admin)).find(({ user_uuid }) => user_uuid === user.userUuid);
    expect((await service.request('DELETE', `/platformapi/sessions/${seen?.session_uuid}`, { key: admin })).status).toBe(204);
    expect(await read(user.session)).toBe(401);
    const { session: elsewhere } = await inviteAndJoin(service, 'admin', 'OTHER');
    expect((await list(elsewhere)).every(({ user_uuid }) => user_uuid !== stranger.userUuid)).toBe(true);
  });

  it('ends at the sign-out, and is never a bearer token', async () => {
    const { session } = await inviteAndJoin(service);
    expect(
      (await service.request('GET', '/platformapi/session', { key: null, headers: { authorization: `Bearer ${session}` } })).status,
    ).toBe(401);
    expect((await service.request('DELETE', '/platformapi/session', { key: session })).status).toBe(204);
    expect(await read(session)).toBe(401);
    expect((await service.request('POST', '/platformapi/session', { key: null, body: { api_key: session } })).status).toBe(401);
  });

  it('has the role and organization that a user of several organizations selects', async () => {
    const user = await inviteAndJoin(service, 'analyst', 'DEMO');
    await service.database.pg`
      insert into memberships (membership_uuid, user_uuid, organization_uuid, role, from_claims)
      select uuidv7(), ${user.userUuid}, organization_uuid, 'admin', false from organizations where organization_code = 'OTHER'`;
    const select = (organization_code: string | null) =>
      service.request('PUT', '/platformapi/session/organization', { key: user.session, body: { organization_code } });
    const current = async () => (await service.request<Session>('GET', '/platformapi/session', { key: user.session })).body;
    expect(await current()).toMatchObject({
      organization_code: 'DEMO',
      role: 'analyst',
      memberships: [
        { organization_code: 'DEMO', role: 'analyst' },
        { organization_code: 'OTHER', role: 'admin' },
      ],
    });
    expect((await select('OTHER')).status).toBe(204);
    expect(await current()).toMatchObject({ organization_code: 'OTHER', role: 'admin' });
    const organizations = await service.request<List<{ organization_code: string }>>('GET', '/platformapi/organizations', {
      key: user.session,
    });
    expect(organizations.body.items.map(({ organization_code }) => organization_code)).toEqual(['OTHER']);
    for (const code of [null, 'NOWHERE']) expect((await select(code)).status).toBe(422);
  });

  it('acts as its user in views, visits, alerts and the audit log', async () => {
    const user = await inviteAndJoin(service, 'admin');
    const view = { list: 'cases', name: 'Mine', filters: {}, is_shared: true };
    const saved = await service.request('POST', '/platformapi/saved-views', { key: user.session, body: view });
    expect(saved).toMatchObject({ status: 201, body: { is_own: true, created_by: user.name } });
    expect((await service.request('POST', '/platformapi/case-visit', { key: user.session })).status).toBe(200);
    expect((await service.sendAlert({}, { key: user.session })).created_by).toBe(user.userUuid);
    const key = await service.request<CreatedApiKey>('POST', '/platformapi/api-keys', {
      key: user.session,
      body: { name: `laptop of ${user.name}`, role: 'admin', organization_code: 'DEMO' },
    });
    expect(key.body.owner).toBe(user.name);
    const { body } = await service.request<List<AuditEntry>>('GET', `/platformapi/audit?target=${key.body.key_uuid}`);
    expect(body.items).toMatchObject([{ principal_name: user.name, user_uuid: user.userUuid, key_name: null, action: 'api-key.create' }]);
  });
});

describe('a deactivated user', () => {
  it('loses sessions and keys at once, and keeps the history', async () => {
    const user = await inviteAndJoin(service, 'admin');
    const body = { name: `key of ${user.name}`, role: 'admin', organization_code: 'DEMO' };
    const { api_key } = (await service.request<CreatedApiKey>('POST', '/platformapi/api-keys', { key: user.session, body })).body;
    const deactivate = (key: string, uuid = user.userUuid) => service.request('POST', `/platformapi/users/${uuid}/deactivate`, { key });
    expect((await deactivate(user.session)).status).toBe(409);
    const { session: elsewhere } = await inviteAndJoin(service, 'admin', 'OTHER');
    expect((await deactivate(elsewhere)).status).toBe(404);
    const everywhere = await inviteAndJoin(service, 'admin', null);
    await service.database.pg`
      insert into memberships (membership_uuid, user_uuid, organization_uuid, role, from_claims)
      select uuidv7(), ${everywhere.userUuid}, organization_uuid, 'admin', false from organizations where organization_code = 'OTHER'`;
    expect((await deactivate(elsewhere, everywhere.userUuid)).status).toBe(409);
    expect((await deactivate(service.adminKey)).status).toBe(204);
    expect([await read(user.session), await read(api_key), (await signInWithPassword(service, user.email)).status]).toEqual([
      401, 401, 401,
    ]);
    const users = await readAllPages<User>(service, '/platformapi/users', { limit: 50 });
    expect(users.find(({ user_uuid }) => user_uuid === user.userUuid)?.deactivated_at).toEqual(expect.any(Number));
    const { token } = (await invite({ email: user.email, role: 'analyst', organization_code: 'DEMO' })).body;
    const again = await join(service, { token, name: user.name });
    expect(again.status).toBe(200);
    expect(again.body.user_uuid).not.toBe(user.userUuid);
  });
});

// Last, because the address of the tests gets 429 for wrong passwords afterwards.
describe('guessing', () => {
  it('is refused after ten wrong passwords for a user, but not for other users at the same address', async () => {
    const [guessed, other] = [await inviteAndJoin(service), await inviteAndJoin(service)];
    for (let count = 0; count < 10; count += 1)
      expect((await signInWithPassword(service, guessed.email, 'a wrong guess')).status).not.toBe(200);
    const { status, headers } = await signInWithPassword(service, guessed.email);
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    for (let count = 0; count < 30; count += 1) await signInWithPassword(service, `user${count}@demo.example`);
    expect((await signInWithPassword(service, other.email)).status).toBe(200);
  });
});
