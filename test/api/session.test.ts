import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Session } from '../../services/sessions/wire.js';
import { startTestService, type TestService, waitFor } from '../support/service.js';
import { inviteAndJoin } from '../support/users.js';
import type { ProblemBody } from './support/http.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false, env: { TEMPORAL_WEB_URL: 'http://127.0.0.1:8233' } });
});
afterAll(() => service.stop());

const signIn = (api_key: string, headers: Record<string, string> = {}) =>
  service.request<Session>('POST', '/platformapi/session', { key: null, body: { api_key }, headers });

describe('a session', () => {
  it('is the key in an HttpOnly and SameSite=Strict cookie', async () => {
    const { api_key } = await service.createKey('analyst', 'DEMO');
    const { status, body, headers } = await signIn(api_key);
    expect(status).toBe(200);
    expect(body).toEqual({
      key_uuid: expect.any(String),
      user_uuid: null,
      memberships: [],
      has_second_step: null,
      approvals_not_counted: expect.stringContaining('The API key of a service never counts'),
      name: expect.any(String),
      role: 'analyst',
      organization_code: 'DEMO',
      temporal_web: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8233\/namespaces\/test-/),
    });
    expect(headers.get('set-cookie')).toBe(`Session=${api_key}; Path=/; HttpOnly; SameSite=Strict`);
    expect(JSON.stringify(body)).not.toContain(api_key);
    expect(await service.request('GET', '/platformapi/session', { key: api_key })).toMatchObject({ status: 200, body });
  });

  it('has a Secure cookie when the request came over TLS', async () => {
    const { api_key } = await service.createKey('admin', null);
    const { headers, body } = await signIn(api_key, { 'x-forwarded-proto': 'https' });
    expect(headers.get('set-cookie')).toContain('; Secure');
    expect(body.organization_code).toBeNull();
  });

  it('is refused for an unknown key, a revoked key and a sender key', async () => {
    const revoked = await service.createKey('analyst');
    await service.request('DELETE', `/platformapi/api-keys/${revoked.key_uuid}`);
    const sender = await service.createKey('sender');
    for (const [key, expected] of [
      ['nobody', 401],
      [revoked.api_key, 401],
      [sender.api_key, 403],
    ] as const) {
      const { status, headers } = await signIn(key);
      expect(status).toBe(expected);
      expect(headers.get('set-cookie')).toBeNull();
    }
  });

  it('cannot be started from another origin', async () => {
    const { api_key } = await service.createKey('analyst');
    expect(await signIn(api_key, { origin: 'https://elsewhere.example' })).toMatchObject({ status: 403 });
  });

  it('ends with DELETE', async () => {
    const { status, headers } = await service.request('DELETE', '/platformapi/session');
    expect(status).toBe(204);
    expect(headers.get('set-cookie')).toMatch(/^Session=; Max-Age=0; Path=\/; HttpOnly/);
  });

  it('that is unknown ends without a change, so that strangers cannot empty the caches of all processes', async () => {
    let announced = 0;
    const { unlisten } = await service.database.pg.listen('api_keys_changed', () => (announced += 1));
    const end = (key: string) => service.request('DELETE', '/platformapi/session', { key });
    const unknown = ['x', `us_${'x'.repeat(43)}`, service.adminKey, `us_${'y'.repeat(43)}`];
    expect((await Promise.all(unknown.map(end))).map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    const [one, other] = [(await inviteAndJoin(service)).session, (await inviteAndJoin(service)).session];
    expect(announced).toBe(0);
    for (const token of [one, one, other]) expect((await end(token)).status).toBe(204);
    expect((await service.request('GET', '/platformapi/session', { key: one })).status).toBe(401);
    await waitFor('both ends to be announced', async () => announced >= 2);
    expect(announced).toBe(2);
    await unlisten();
  });

  it('limits the number of wrong sign-ins, and still accepts a valid key from the same address', async () => {
    const { api_key } = await service.createKey('analyst');
    const statuses = await Promise.all(Array.from({ length: 40 }, (_, n) => signIn(`${n} guess`).then(({ status }) => status)));
    expect(statuses).toContain(429);
    const began = performance.now();
    const { status, headers } = await signIn('one more');
    expect(status).toBe(429);
    // A client that waits for its replies sends few more.
    expect(performance.now() - began).toBeGreaterThan(90);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await signIn(api_key)).status).toBe(200);
  });

  it('refuses a large body before it is parsed, and counts invalid bodies like wrong keys', async () => {
    const other = await startTestService({ worker: false });
    onTestFinished(() => other.stop());
    const post = (body: unknown) => other.request<ProblemBody>('POST', '/platformapi/session', { key: null, body });
    const unknownFields = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`f${n}`, 1]));
    const { status, body } = await post(unknownFields);
    expect({ status, detail: body.detail }).toEqual({ status: 413, detail: expect.stringContaining('4 KiB') });
    for (let count = 1; count < 20; count += 1) expect((await post({ wrong: count })).status).toBe(422);
    expect((await post({ wrong: 'again' })).status).toBe(429);
    expect((await post('not JSON')).status).toBe(429);
    expect((await post({ api_key: other.adminKey })).status).toBe(200);
    const { body: metrics } = await other.request<string>('GET', '/metrics');
    expect(metrics).toContain('refused_keys_total{use="sign-in",throttled="false"} 20');
  });

  it('is not the only public operation with a small limit', async () => {
    const large = JSON.stringify({ text: 'x'.repeat(5_000) });
    expect((await service.request('DELETE', '/platformapi/session', { key: null, body: large })).status).toBe(413);
    // The reply comes before the body: parsing would find that this is not JSON.
    expect((await service.request('POST', '/nothing/here', { key: null, body: 'not JSON' })).status).toBe(404);
  });
});
