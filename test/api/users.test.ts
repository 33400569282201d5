import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreatedApiKey } from '../../services/api-keys/wire.js';
import type { AuditEntry } from '../../services/audit/wire.js';
import type { CreatedInvitation } from '../../services/invitations/wire.js';
import type { User } from '../../services/users/wire.js';
import { startTestService, type TestService } from '../support/service.js';
import { addMembership, inviteAndJoin, join, PASSWORD, readToken, signInWithPassword } from '../support/users.js';
import { type List, type ProblemBody, readAllPages } from './support/http.js';
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

describe('the sign-in with a password', () => {
  it('starts a session in an HttpOnly and SameSite=Lax cookie, under a new token, and ends the session before', async () => {
    const { email, session } = await inviteAndJoin(service);
    const { status, headers, body } = await signInWithPassword(service, email.toUpperCase(), PASSWORD, { cookie: `Session=${session}` });
    expect(status).toBe(200);
    const token = readToken(headers);
    expect(headers.getSetCookie()).toEqual([
      `Session=${token}; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax`,
      expect.stringMatching(/^Browser=[\w-]+; Max-Age=7776000; Path=\/platformapi\/session; HttpOnly; SameSite=Strict$/),
    ]);
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
    await addMembership(service, everywhere.userUuid, 'OTHER', 'admin');
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

describe('the audit log', () => {
  it('has sign-ins and wrong passwords in each organization of the user', async () => {
    const [user, admin] = [await inviteAndJoin(service), await inviteAndJoin(service, 'admin')];
    await addMembership(service, user.userUuid, 'OTHER', 'analyst');
    await signInWithPassword(service, user.email);
    for (let count = 0; count < 2; count += 1) await signInWithPassword(service, user.email, 'a wrong password');
    const list = async (query: string, key: string) =>
      (await service.request<List<AuditEntry>>('GET', `/platformapi/audit?${query}`, { key })).body.items;
    const started = await list(`action=session.start&principal_name=${encodeURIComponent(user.name)}`, admin.session);
    expect(started.map(({ organization_code }) => organization_code)).toEqual(['DEMO', 'DEMO']);
    expect(await list(`action=session.refuse&target=${user.userUuid}`, admin.session)).toMatchObject([
      { principal_name: 'service', details: { reason: 'password', address: '127.0.0.1' } },
    ]);
    expect(await list(`action=session.refuse&target=${user.userUuid}`, service.adminKey)).toHaveLength(2);
  });
});

// Last, because the address of the tests gets 429 for wrong passwords afterwards.
describe('guessing', () => {
  it('is refused after ten wrong passwords for a user, but not for other users at the same address', async () => {
    const [guessed, other] = [await inviteAndJoin(service), await inviteAndJoin(service)];
    const known = await signInWithPassword(service, guessed.email);
    const browser =
      known.headers
        .getSetCookie()
        .find((cookie) => cookie.startsWith('Browser='))
        ?.split(';')[0] ?? '';
    for (let count = 0; count < 10; count += 1)
      expect((await signInWithPassword(service, guessed.email, 'a wrong guess')).status).not.toBe(200);
    const { status, headers } = await signInWithPassword(service, guessed.email);
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    for (let count = 0; count < 30; count += 1) await signInWithPassword(service, `user${count}@demo.example`);
    expect((await signInWithPassword(service, other.email)).status).toBe(200);
    // A browser in which the user signed in before has a limit of its own.
    expect((await signInWithPassword(service, guessed.email, PASSWORD, { cookie: browser })).status).toBe(200);
    expect((await signInWithPassword(service, guessed.email, PASSWORD, { cookie: 'Browser=forged' })).status).toBe(429);
  });
});
