import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { CreatedCredentialLink, Handover } from '../../services/credential-links/wire.js';
import { startTestService, type TestService } from '../support/service.js';
import type { ProblemBody } from './support/http.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

let made = 0;
async function ask(of = service) {
  made += 1;
  const asked = { organization_code: 'DEMO', connector: 'threat-intelligence', instance_name: `By link ${made}` };
  const { status, body } = await of.request<CreatedCredentialLink>('POST', '/platformapi/credential-links', {
    body: { ...asked, settings: { api_host: 'https://intelligence.example' } },
  });
  expect(status).toBe(201);
  return { ...body, token: body.path.replace('/handover#', '') };
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const open = <Body = Handover>(token: string) =>
  service.request<Body>('GET', '/platformapi/handover', { key: null, headers: bearer(token) });
const submit = (token: string, body: unknown = { credentials: { api_key: 'secret of the customer' } }, to = service) =>
  to.request<ProblemBody>('POST', '/platformapi/handover', { key: null, headers: bearer(token), body });

it('shows the customer the request, and nothing else', async () => {
  const { token, instance_name } = await ask();
  const { status, body, headers } = await open(token);
  expect(status).toBe(200);
  expect(Object.keys(body).sort()).toEqual(
    [
      'asked_by',
      'credentials',
      'expires_at',
      'instance_name',
      'organization',
      'permissions',
      'products',
      'remote_agent',
      'settings',
      'setup',
      'title',
    ].sort(),
  );
  expect(body).toMatchObject({
    organization: 'Demo organization',
    asked_by: 'first admin',
    title: 'Threat intelligence platform',
    instance_name,
    credentials: [{ name: 'api_key', secret: true, required: true }],
  });
  expect(body.settings).toContainEqual({ label: 'API host', value: 'https://intelligence.example' });
  expect(body.setup.length).toBeGreaterThan(0);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

it('refuses unknown tokens, throttles before the body is read, and does not lock out a valid token', async () => {
  const other = await startTestService({ worker: false });
  onTestFinished(() => other.stop());
  const wrong = `link_${'x'.repeat(43)}`;
  // A body that is not JSON would be refused with 400 if it were read.
  for (let count = 1; count <= 20; count += 1) expect((await submit(wrong, 'not JSON', other)).status).toBe(404);
  for (const token of [wrong, '', 'link_short'])
    expect(Number((await submit(token, 'not JSON', other)).headers.get('retry-after'))).toBeGreaterThan(0);
  const { token } = await ask(other);
  expect((await submit(token, { credentials: {} }, other)).status).toBe(422);
  for (let count = 2; count <= 30; count += 1) await submit(token, { credentials: {} }, other);
  expect((await submit(token, { credentials: { api_key: 'secret of the customer' } }, other)).status).toBe(429);
});
