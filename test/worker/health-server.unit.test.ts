import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetrics } from '../../platform/metrics.js';
import { readSettings } from '../../platform/settings.js';
import { createHealthServer } from '../../worker/health-server.js';
import { sendTo } from '../api/support/http.js';

const settings = readSettings({ PUBLIC_URL: 'https://soc.example.com', ALLOWED_HOSTS: 'worker-1' });
const server = createHealthServer(settings, createMetrics(), () => true);
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => server.close());

function send(host: string, path: string) {
  const { port } = server.address() as AddressInfo;
  return sendTo(`http://127.0.0.1:${port}`, { path, headers: { host } });
}

describe('the paths of a worker', () => {
  it.each(['/metrics', '/readyz', '/nothing-here'])('refuse a foreign name: %s', async (path) => {
    for (const host of ['evil.example', 'localhost.evil.example', 'worker-1.evil.example'])
      expect(await send(host, path)).toMatchObject({ status: 421, text: expect.stringContaining('ALLOWED_HOSTS') });
  });

  it.each(['localhost', '127.0.0.1:3001', '192.0.2.7', 'soc.example.com', 'worker-1:3001'])('answer under %s', async (host) => {
    expect((await send(host, '/readyz')).status).toBe(200);
  });

  it('answer a health check under any name', async () => {
    expect((await send('kubelet.evil.example', '/healthz')).status).toBe(200);
  });

  it('give metrics on this machine only', async () => {
    expect((await send('localhost', '/metrics')).status).toBe(200);
    expect((await send('worker-1', '/metrics')).status).toBe(401);
  });
});
