import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi } from '../../api/server.js';
import { log, startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

it('does not wait for a connection that its client opened and never used', { timeout: 30_000 }, async () => {
  const api = await startApi({ settings: { ...service.settings, PORT: 0 }, log });
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1').resume();
  await once(socket, 'connect');
  // The API has accepted the connection once it answers a later one.
  expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
  const closed = once(socket, 'close');
  await api.close();
  await closed;
});
