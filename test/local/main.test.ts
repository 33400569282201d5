import { statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isPortFree } from '../../local/ports.js';
import { clusterElsewhere } from '../../local/postgres/cluster.js';
import { sendTo } from '../api/support/http.js';
import { createClient, freePorts, start } from './support/npm-start.js';
import { temporaryFolder } from './support/scripts.js';

test('invalid settings are named, without a stack trace', async () => {
  const script = start(await temporaryFolder(), { PORT: 'three thousand', MASTER_KEY: 'short' });
  expect(await script.ended).toBe(1);
  expect(script.printed()).toMatch(/PORT: .*\n.*MASTER_KEY: must be 32 bytes/);
  expect(script.printed()).not.toMatch(/^\s+at /m);
});

test('the service starts once per data folder, investigates, and stops in order', { timeout: 300_000 }, async () => {
  const folder = await temporaryFolder('checkout/data');
  const ports = await freePorts();
  const first = start(folder, ports);
  await first.waitFor(/No data is lost/);
  const [, key = ''] = await first.waitFor(/Admin API key\s+(ai_\S+)/);
  await first.waitFor(new RegExp(`Set-up link\\s+http://127.0.0.1:${ports.PORT}/join#in_\\S{43} `));
  const api = createClient(ports.PORT, key);
  const webUrl = `http://127.0.0.1:${ports.TEMPORAL_UI_PORT}`;
  const elsewhere = clusterElsewhere(path.join(folder, 'postgres'));
  const data = elsewhere === null ? `Data           ${folder}\n` : `Data           ${folder} (Postgres: ${elsewhere})\n`;
  for (const shown of [`${api.url}/docs`, webUrl, data]) expect(first.printed()).toContain(shown);
  expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
  expect((await fetch(webUrl)).status).toBe(200);
  // A page of another site can make its own name lead to this machine.
  for (const url of [webUrl, `${api.url}/readyz`])
    expect((await sendTo(url, { path: new URL(url).pathname, headers: { host: 'evil.example' } })).status).toBe(421);
  expect(statSync(path.join(folder, 'master-key')).mode & 0o777).toBe(0o600);

  const second = start(folder, await freePorts());
  expect(await second.ended).toBe(1);
  expect(second.printed()).toContain(`already running on this data folder: pid ${first.process.pid}, ${folder}`);
  expect((await fetch(`${api.url}/healthz`)).status).toBe(200);

  await api.untilInvestigated(await api.sendAlert());
  first.process.kill('SIGINT');
  expect(await first.ended).toBe(0);
  expect(first.printed()).toMatch(/API: stopped[\s\S]*worker: stopped[\s\S]*Temporal: stopped[\s\S]*Postgres: stopped/);
  for (const port of Object.values(ports)) expect(await isPortFree(Number(port))).toBe(true);
});
