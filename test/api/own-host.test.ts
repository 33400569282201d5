import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.js';
import { sendTo } from './support/http.js';

let service: TestService;
beforeAll(async () => {
  const env = { PUBLIC_URL: 'https://soc.example.com', ALLOWED_HOSTS: 'api, Investigator.Internal' };
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
