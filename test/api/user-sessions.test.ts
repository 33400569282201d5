import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreatedApiKey } from '../../services/api-keys/wire.js';
import type { AuditEntry } from '../../services/audit/wire.js';
import { asService } from '../../services/context.js';
import { startSession } from '../../services/sessions/start.js';
import type { Session, UserSession } from '../../services/sessions/wire.js';
import { ago, changeUserSessions } from '../support/rows.js';
import { startTestService, type TestService, waitFor } from '../support/service.js';
import { addMembership, inviteAndJoin, PASSWORD, readToken, setUp, signInWithPassword } from '../support/users.js';
import { type List, startSecondApi, watch } from './support/http.js';
import { createOrganization } from './support/records.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  await createOrganization(service, 'OTHER');
});
afterAll(() => service.stop());

const read = async (key: string) => (await service.request('GET', '/platformapi/session', { key })).status;

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
      await changeUserSessions(short, {}, { lastSeenAt: ago({ minutes: 9 }) });
      await short.restartApi();
      expect(await status(session)).toBe(200);
      const [seen] = await pg<{ age: number }[]>`select extract(epoch from now() - last_seen_at)::float8 as age from user_sessions`;
      expect(seen?.age).toBeLessThan(60);
      await changeUserSessions(short, {}, { lastSeenAt: ago({ minutes: 11 }) });
      await forget();
      await waitFor('the idle session to end', async () => (await status(session)) === 401);
      const again = readToken((await signInWithPassword(short, email)).headers);
      await changeUserSessions(short, {}, { endsAt: ago({}) });
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
    const { session, userUuid } = await inviteAndJoin(service);
    expect(
      (await service.request('GET', '/platformapi/session', { key: null, headers: { authorization: `Bearer ${session}` } })).status,
    ).toBe(401);
    expect((await service.request('DELETE', '/platformapi/session', { key: session })).status).toBe(204);
    expect(await read(session)).toBe(401);
    expect((await service.request('POST', '/platformapi/session', { key: null, body: { api_key: session } })).status).toBe(401);
    const audited = await service.database.pg`select from audit_log where action = 'session.end' and principal_uuid = ${userUuid}`;
    expect(audited).toHaveLength(1);
  });

  it('has the role and organization that a user of several organizations selects', async () => {
    const user = await inviteAndJoin(service, 'analyst', 'DEMO');
    await addMembership(service, user.userUuid, 'OTHER', 'admin');
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
    const page = await watch(service.url, user.session);
    expect((await select('OTHER')).status).toBe(204);
    expect(await current()).toMatchObject({ organization_code: 'OTHER', role: 'admin' });
    // The browser connects again, and hears of the other organization.
    await page.ended;
    const organizations = await service.request<List<{ organization_code: string }>>('GET', '/platformapi/organizations', {
      key: user.session,
    });
    expect(organizations.body.items.map(({ organization_code }) => organization_code)).toEqual(['OTHER']);
    for (const code of [null, 'NOWHERE']) expect((await select(code)).status).toBe(422);
  });

  it('creates keys and accounts only within an hour of a proof of who uses it', async () => {
    const { session, userUuid } = await inviteAndJoin(service, 'admin');
    const acts = {
      'api-keys': () => ({ name: `key ${randomUUID()}`, role: 'admin', organization_code: 'DEMO' }),
      'remote-agents': () => ({ name: `agent ${randomUUID()}`, organization_code: 'DEMO' }),
      invitations: () => ({ email: 'next@demo.example', role: 'analyst', organization_code: 'DEMO' }),
      'session/totp': () => undefined,
    };
    const act = async (key: string) => {
      const statuses: number[] = [];
      for (const [path, body] of Object.entries(acts))
        statuses.push((await service.request('POST', `/platformapi/${path}`, { key, body: body() })).status);
      return statuses;
    };
    const verify = async (body: object) => (await service.request('POST', '/platformapi/session/verify', { key: session, body })).status;
    expect(await act(session)).toEqual([201, 201, 201, 201]);
    const { api_key } = (await service.request<CreatedApiKey>('POST', '/platformapi/api-keys', { key: session, body: acts['api-keys']() }))
      .body;
    await changeUserSessions(service, { userUuid }, { createdAt: ago({ minutes: 61 }) });
    expect(await act(session)).toEqual([403, 403, 403, 403]);
    // Keys have no sign-in.
    expect((await act(api_key)).slice(0, 3)).toEqual([201, 201, 201]);
    expect([await verify({ password: 'not this one' }), await verify({}), await verify({ code: '123456' })]).toEqual([422, 422, 409]);
    expect(await act(session)).toEqual([403, 403, 403, 403]);
    expect(await verify({ password: PASSWORD })).toBe(204);
    expect(await act(session)).toEqual([201, 201, 201, 201]);
  });

  it('changes its password with the current one, and ends the other sessions', async () => {
    const user = await inviteAndJoin(service);
    const other = readToken((await signInWithPassword(service, user.email)).headers);
    const change = async (current_password: string, new_password: string, key = user.session) =>
      (await service.request('PUT', '/platformapi/session/password', { key, body: { current_password, new_password } })).status;
    const next = 'another long password';
    expect([
      await change('a wrong password', next),
      await change(PASSWORD, 'short'),
      await change(PASSWORD, next, service.adminKey),
    ]).toEqual([422, 422, 409]);
    expect([await read(user.session), await read(other)]).toEqual([200, 200]);
    expect(await change(PASSWORD, next)).toBe(204);
    expect([await read(user.session), await read(other)]).toEqual([200, 401]);
    expect((await signInWithPassword(service, user.email)).status).toBe(401);
    expect((await signInWithPassword(service, user.email, next)).status).toBe(200);
    const guesses = await Promise.all(Array.from({ length: 30 }, () => change('a wrong password', next)));
    expect(guesses.filter((status) => status === 422).length).toBeLessThanOrEqual(10);
    expect(guesses).toContain(429);
    const audited = await service.database.pg<{ action: string }[]>`
      select action from audit_log where target = ${user.userUuid} and action like 'user.%' order by entry_no`;
    expect(audited.map(({ action }) => action)).toEqual(['user.join', 'user.vouch', 'user.password-change']);
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

it('a user has at most 20 sessions: a new one ends the oldest', async () => {
  const { session, userUuid } = await inviteAndJoin(service);
  const start = () => startSession(asService(service.database.db), userUuid, { client: 'a browser', absoluteSeconds: 3600 });
  const isOpen = async (key: string) => (await service.request('GET', '/platformapi/session', { key })).status === 200;
  const later: string[] = [];
  for (let count = 1; count < 20; count += 1) later.push(await start());
  expect(await isOpen(session)).toBe(true);
  later.push(...(await Promise.all([start(), start()])));
  await waitFor('the end of the oldest session', async () => !(await isOpen(session)));
  expect(await Promise.all(later.map(isOpen))).toEqual(later.map((_, index) => index > 0));
});
