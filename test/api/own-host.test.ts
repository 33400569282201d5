import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.js';
import { sendTo } from './support/http.js';

const METRICS_TOKEN = 'a-token-of-the-prometheus-server';

let service: TestService;
beforeAll(async () => {
  const env = { PUBLIC_URL: 'https://soc.example.com', ALLOWED_HOSTS: 'api, Investigator.Internal', METRICS_TOKEN };
  service = await startTestService({ worker: false, env });
});
afterAll(() => service.stop());

/** Of a page of another site after it made its own name lead to this machine (DNS rebinding), or of a client of this service. */
const send = (host: string, path: string, method = 'GET', headers: Record<string, string> = {}) =>
  sendTo(service.url, { path, method, headers: { host, cookie: `Session=${service.adminKey}`, ...headers } });

describe('the host of a request', () => {
  it.each([
    'localhost',
    '127.0.0.1:3000',
    '[::1]',
    '192.0.2.7',
    '[2001:db8::7]:3000',
    'soc.example.com',
    'SOC.example.com:443',
    'api:3000',
  ])('can be %s', async (host) => expect((await send(host, '/platformapi/session')).status).toBe(200));

  it('can be a name of ALLOWED_HOSTS in any spelling', async () => {
    expect((await send('investigator.internal.', '/platformapi/session')).status).toBe(200);
  });

  const routes = [
    ['GET', '/platformapi/session'],
    ['GET', '/platformapi/events'],
    ['DELETE', '/platformapi/session'],
    ['POST', '/platformapi/session/password'],
    ['POST', '/agentapi/claim'],
    ['GET', '/platformapi/handover'],
    ['GET', '/openapi.json'],
    ['GET', '/docs/'],
    ['GET', '/metrics'],
    ['GET', '/readyz'],
    ['GET', '/nothing-here'],
  ] as const;
  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.nip.example', 'soc.example.com.evil.example', 'user@localhost'])(
    'can not be %s, on any route',
    async (host) => {
      for (const [method, path] of routes) {
        const { status, headers, text } = await send(host, path, method, { origin: `http://${host}` });
        expect({ path, status, type: headers['content-type'] }).toEqual({ path, status: 421, type: 'application/problem+json' });
        expect(text).toContain('ALLOWED_HOSTS');
      }
    },
  );

  it('does not matter for the check whether the process runs', async () => {
    expect((await send('kubelet.evil.example', '/healthz')).status).toBe(200);
  });
});

describe('the metrics', () => {
  const read = (headers: Record<string, string>) => sendTo(service.url, { path: '/metrics', headers });

  it('need no token on this machine', async () => {
    expect(await read({})).toMatchObject({ status: 200, text: expect.stringContaining('outbox_waiting') });
  });

  it('need the token if a proxy forwards the request, or under the name of the service', async () => {
    const elsewhere: Record<string, string>[] = [
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1' },
      { host: 'api:3000' },
      { host: '192.0.2.7' },
    ];
    for (const headers of elsewhere) {
      for (const authorization of [undefined, 'Bearer wrong', `Bearer ${service.adminKey}`]) {
        const refused = await read({ ...headers, ...(authorization === undefined ? {} : { authorization }) });
        expect(refused).toMatchObject({ status: 401, text: expect.stringContaining('METRICS_TOKEN') });
      }
      expect((await read({ ...headers, authorization: `Bearer ${METRICS_TOKEN}` })).status).toBe(200);
    }
  });
});

describe('the session of a browser, with an https PUBLIC_URL', () => {
  const read = (cookie: string) => service.request('GET', '/platformapi/session', { key: null, headers: { cookie } });

  it('is a secure cookie that only the host itself can set, whatever the request says', async () => {
    const { api_key } = await service.createKey('analyst');
    const { headers } = await service.request('POST', '/platformapi/session', { key: null, body: { api_key } });
    const [session = '', earlier = ''] = headers.getSetCookie();
    expect(session).toBe(`__Host-Session=${api_key}; Path=/; HttpOnly; Secure; SameSite=Strict`);
    expect(earlier).toMatch(/^Session=; Max-Age=0; Path=\/; HttpOnly; Secure/);
    const ended = await service.request('DELETE', '/platformapi/session', { key: api_key });
    expect(ended.headers.getSetCookie().map((cookie) => cookie.split(';', 2).join())).toEqual([
      '__Host-Session=, Max-Age=0',
      'Session=, Max-Age=0',
    ]);
  });

  it('wins over a cookie of another host of the domain, and programs still send their key as Session', async () => {
    const { api_key } = await service.createKey('analyst');
    expect((await read(`__Host-Session=${api_key}`)).status).toBe(200);
    expect((await read(`Session=${api_key}`)).status).toBe(200);
    expect((await read(`Session=${service.adminKey}; __Host-Session=${api_key}`)).body).toMatchObject({ role: 'analyst' });
    expect((await read(`Session=${api_key}; __Host-Session=unknown`)).status).toBe(401);
  });
});
