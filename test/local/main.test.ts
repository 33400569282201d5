import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { freePort, isPortFree } from '../../local/ports.js';
import { clusterElsewhere } from '../../local/postgres/cluster.js';
import { createClient, freePorts, start } from './support/npm-start.js';
import { serversIn, temporaryFolder } from './support/scripts.js';

const SOON = { timeout: 120_000, interval: 200 };
async function occupyPort(): Promise<string> {
  const port = await freePort();
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return String(port);
}

test('invalid settings are named, without a stack trace', async () => {
  const script = start(await temporaryFolder(), { PORT: 'three thousand', MASTER_KEY: 'short' });
  expect(await script.ended).toBe(1);
  expect(script.printed()).toMatch(/PORT: .*\n.*MASTER_KEY: must be 32 bytes/);
  expect(script.printed()).not.toMatch(/^\s+at /m);
});

test('a port in use is named with its variable, and no process keeps running', async () => {
  const folder = await temporaryFolder();
  const PORT = await occupyPort();
  const api = start(folder, { ...(await freePorts()), PORT });
  expect(await api.ended).toBe(1);
  expect(api.printed()).toContain(`Another program uses port ${PORT}, which the API needs. Set PORT`);

  const TEMPORAL_UI_PORT = await occupyPort();
  const web = start(folder, { ...(await freePorts()), TEMPORAL_UI_PORT });
  expect(await web.ended).toBe(1);
  expect(web.printed()).toContain(`Another program uses port ${TEMPORAL_UI_PORT}, which Temporal Web needs. Set TEMPORAL_UI_PORT`);
  expect(web.printed()).not.toMatch(/^\s+at /m);
  expect(await serversIn(folder)).toEqual([]);
});

test('the service starts once per data folder, stops in order, and keeps its data, even after SIGKILL', { timeout: 300_000 }, async () => {
  const folder = await temporaryFolder();
  const ports = await freePorts();
  const first = start(folder, ports);
  await first.waitFor(/No data is lost/);
  const [, key = ''] = await first.waitFor(/Admin API key\s+(ai_\S+)/);
  await first.waitFor(new RegExp(`Set-up link\\s+http://127.0.0.1:${ports.PORT}/join#in_\\S{43} `));
  const api = createClient(ports.PORT, key);
  const webUrl = `http://127.0.0.1:${ports.TEMPORAL_UI_PORT}`;
  for (const shown of [`${api.url}/docs`, webUrl, folder]) expect(first.printed()).toContain(shown);
  expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
  expect((await fetch(webUrl)).status).toBe(200);
  expect(statSync(path.join(folder, 'master-key')).mode & 0o777).toBe(0o600);
  const alertId = await api.sendAlert();

  const second = start(folder, await freePorts());
  expect(await second.ended).toBe(1);
  expect(second.printed()).toContain(`already running on this data folder: pid ${first.process.pid}, ${folder}`);
  expect((await fetch(`${api.url}/healthz`)).status).toBe(200);

  first.process.kill('SIGINT');
  expect(await first.ended).toBe(0);
  expect(first.printed()).toMatch(/API: stopped[\s\S]*worker: stopped[\s\S]*Temporal: stopped[\s\S]*Postgres: stopped/);
  for (const port of Object.values(ports)) expect(await isPortFree(Number(port))).toBe(true);

  const third = start(folder, ports);
  await third.waitFor(/No data is lost/);
  expect(third.printed()).not.toMatch(/ai_/);
  await api.untilInvestigated(alertId);
  const another = await api.sendAlert();
  third.process.kill('SIGKILL');
  await third.ended;

  const fourth = start(folder, ports);
  await fourth.waitFor(/No data is lost/);
  expect(fourth.printed()).toMatch(/Postgres of an earlier run is still running: stopping it/);
  expect(fourth.printed()).toMatch(/Temporal of an earlier run is still running: stopping it/);
  await api.untilInvestigated(alertId);
  await api.untilInvestigated(another);
  fourth.process.kill('SIGTERM');
  expect(await fourth.ended).toBe(0);
  for (const port of Object.values(ports)) expect(await isPortFree(Number(port))).toBe(true);
});

test('every acknowledged alert is investigated when Postgres and Temporal are killed', { timeout: 300_000 }, async () => {
  const folder = await temporaryFolder('checkout/data');
  const ports = await freePorts();
  const script = start(folder, ports);
  const [, key = ''] = await script.waitFor(/Admin API key\s+(ai_\S+)/);
  const elsewhere = clusterElsewhere(path.join(folder, 'postgres'));
  await script.waitFor(/No data is lost/);
  expect(script.printed()).toContain(
    elsewhere === null ? `Data           ${folder}\n` : `Data           ${folder} (Postgres: ${elsewhere})\n`,
  );
  const api = createClient(ports.PORT, key);
  const acknowledged: string[] = [];
  let sending = true;
  const send = async () => {
    while (sending) {
      // The API returns 503 while Postgres is down, and such an alert is not acknowledged.
      await api.sendAlert().then(
        (alertId) => acknowledged.push(alertId),
        () => undefined,
      );
      await sleep(500);
    }
  };
  const senders = [send(), send(), send()];
  for (const { name, pid } of await serversIn(folder)) {
    const before = acknowledged.length;
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 5), SOON);
    process.kill(pid, 'SIGKILL');
    await script.waitFor(new RegExp(`${name} is back`));
  }
  const before = acknowledged.length;
  await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 5), SOON);
  sending = false;
  await Promise.all(senders);
  for (const alertId of acknowledged) await api.untilInvestigated(alertId);
  script.process.kill('SIGINT');
  expect(await script.ended).toBe(0);
});

test('the service stops its servers when it is interrupted during the start', async () => {
  const folder = await temporaryFolder();
  const script = start(folder, await freePorts());
  await script.waitFor(/Postgres: ready/);
  script.process.kill('SIGINT');
  expect(await script.ended).toBe(0);
  expect(script.printed()).toMatch(/Postgres: stopped/);
});
