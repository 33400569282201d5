import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startApi } from '../../api/server.js';
import { type Authority, createAuthority } from '../../connectors/kit/stand-in/authority.js';
import { createLogger } from '../../platform/log.js';
import { startTestService, type TestService, waitFor } from '../support/service.js';

let service: TestService;
let authority: Authority;
let folder: string;
const fileOf = (name: 'cert' | 'key') => path.join(folder, `${name}.pem`);

beforeAll(async () => {
  authority = await createAuthority();
  folder = await mkdtemp(path.join(tmpdir(), 'tls-test-'));
  service = await startTestService({ worker: false });
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

async function issue(): Promise<{ key: string; cert: string }> {
  const issued = await authority.issue(['localhost', '127.0.0.1']);
  await writeFile(fileOf('key'), issued.key);
  await writeFile(fileOf('cert'), issued.cert);
  return issued;
}

async function start(env: Record<string, unknown>) {
  const lines: string[] = [];
  const log = createLogger('warn', 'test', { to: { write: (line) => void lines.push(line) } });
  const api = await startApi({ settings: { ...service.settings, ...env }, log });
  onTestFinished(() => api.close());
  return { api, lines };
}

/** Signs in over a new connection. */
async function signIn(url: string) {
  const body = JSON.stringify({ api_key: service.adminKey });
  return await new Promise<{ status: number; headers: Record<string, unknown>; serialNumber: string }>((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    request(`${url}/platformapi/session`, { method: 'POST', headers, ca: authority.caPem, agent: false }, (reply) => {
      const { socket, statusCode = 0 } = reply;
      const serialNumber = socket instanceof TLSSocket ? socket.getPeerCertificate().serialNumber : '';
      reply.resume().on('end', () => resolve({ status: statusCode, headers: reply.headers, serialNumber }));
    })
      .on('error', reject)
      .end(body);
  });
}

it('the API serves TLS with HSTS and a secure cookie, and loads a changed certificate', async () => {
  await issue();
  const { api, lines } = await start({ TLS_CERT_FILE: fileOf('cert'), TLS_KEY_FILE: fileOf('key'), HOST: '0.0.0.0' });
  const url = `https://127.0.0.1:${new URL(api.url).port}`;
  expect(api.url).toMatch(/^https:/);
  const first = await signIn(url);
  expect(first.status).toBe(200);
  expect(first.headers['strict-transport-security']).toBe('max-age=31536000');
  expect(String(first.headers['set-cookie'])).toContain('; Secure');

  // A key without its certificate must not end the service.
  await writeFile(fileOf('key'), (await authority.issue(['localhost'])).key);
  await waitFor('the wrong pair to be reported', async () => lines.some((line) => line.includes('cannot load the changed TLS')));
  expect((await signIn(url)).serialNumber).toBe(first.serialNumber);
  await issue();
  await waitFor('the new certificate', async () => (await signIn(url)).serialNumber !== first.serialNumber);
  expect(lines.filter((line) => line.includes('unencrypted'))).toEqual([]);
});

it('the start fails with the names of the settings if the files are unusable', async () => {
  const missing = { TLS_CERT_FILE: path.join(folder, 'missing.pem'), TLS_KEY_FILE: fileOf('key') };
  await expect(start(missing)).rejects.toThrow(/TLS_CERT_FILE .*missing\.pem.*TLS_KEY_FILE/);
});

it.each([
  ['beyond this machine without TLS', { HOST: '0.0.0.0' }, 1],
  ['behind a proxy', { HOST: '0.0.0.0', TRUSTED_PROXIES: ['10.0.0.0/8'] }, 0],
  ['on this machine only', { HOST: '127.0.0.1' }, 0],
])('the API warns about unencrypted keys only where it is needed: %s', async (_case, env, warnings) => {
  const { lines } = await start(env);
  expect(lines.filter((line) => line.includes('unencrypted'))).toHaveLength(warnings);
});
