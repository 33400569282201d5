import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { isPortFree } from '../../local/ports.js';
import { startService } from '../../local/service.js';
import { readSettings } from '../../platform/settings.js';
import { StartError } from '../../platform/start-error.js';
import { createClient, freePorts, start } from './support/npm-start.js';
import { occupyPort, quietLog, type Script, serversIn, temporaryFolder } from './support/scripts.js';

const SOON = { timeout: 120_000, interval: 200 };

/** Kills Postgres and then Temporal while alerts arrive. Returns the alerts that the service acknowledged. */
async function killServersUnderLoad(script: Script, folder: string, sendAlert: () => Promise<string>): Promise<string[]> {
  const acknowledged: string[] = [];
  let sending = true;
  const send = async () => {
    while (sending) {
      // The API returns 503 while Postgres is down, and such an alert is not acknowledged.
      await sendAlert().then(
        (alertId) => acknowledged.push(alertId),
        () => undefined,
      );
      await sleep(500);
    }
  };
  const senders = [send(), send(), send()];
  const untilMoreArrive = async () => {
    const before = acknowledged.length;
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 5), SOON);
  };
  for (const { name, pid } of await serversIn(folder)) {
    await untilMoreArrive();
    process.kill(pid, 'SIGKILL');
    await script.waitFor(new RegExp(`${name} is back`));
  }
  await untilMoreArrive();
  sending = false;
  await Promise.all(senders);
  return acknowledged;
}

test('the service loses no alert when its servers or it are killed', { timeout: 300_000 }, async () => {
  const folder = await temporaryFolder('checkout/data');
  const ports = await freePorts();
  const first = start(folder, ports);
  await first.waitFor(/No data is lost/);
  const [, key = ''] = await first.waitFor(/Admin API key\s+(ai_\S+)/);
  const api = createClient(ports.PORT, key);
  const acknowledged = await killServersUnderLoad(first, folder, api.sendAlert);
  for (const alertId of acknowledged) await api.untilInvestigated(alertId);
  const last = await api.sendAlert();
  first.process.kill('SIGKILL');
  expect(await first.ended).toBe('SIGKILL');

  const third = start(folder, ports);
  await third.waitFor(/No data is lost/);
  expect(third.printed()).not.toMatch(/ai_/);
  expect(third.printed()).toMatch(/Postgres of an earlier run is still running: stopping it/);
  expect(third.printed()).toMatch(/Temporal of an earlier run is still running: stopping it/);
  for (const alertId of [...acknowledged, last]) await api.untilInvestigated(alertId);
  third.process.kill('SIGINT');
  expect(await third.ended).toBe(0);
  expect(third.printed()).toMatch(/API: stopped[\s\S]*worker: stopped[\s\S]*Temporal: stopped[\s\S]*Postgres: stopped/);
  for (const port of Object.values(ports)) expect(await isPortFree(Number(port))).toBe(true);
});

test('the service stops its servers when it is interrupted during the start', async () => {
  const folder = await temporaryFolder();
  const script = start(folder, await freePorts());
  await script.waitFor(/Postgres: ready/);
  script.process.kill('SIGINT');
  expect(await script.ended).toBe(0);
  expect(script.printed()).toMatch(/Postgres: stopped/);
});

test('a port in use is named with its variable, and no process keeps running', async () => {
  const folder = await temporaryFolder();
  const PORT = await occupyPort();
  const api = start(folder, { ...(await freePorts()), PORT });
  expect(await api.ended).toBe(1);
  expect(api.printed()).toContain(`Another program uses port ${PORT}, which the API needs. Set PORT`);
  expect(api.printed()).not.toMatch(/^\s+at /m);

  const TEMPORAL_UI_PORT = await occupyPort();
  const settings = readSettings({ ...(await freePorts()), TEMPORAL_UI_PORT, DATA_DIR: folder, TEMPORAL_CLI: process.env['TEMPORAL_CLI'] });
  const { signal } = new AbortController();
  const failure = await startService({ settings, log: quietLog, signal, onAdminKey: () => {} }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StartError);
  expect(String(failure)).toContain(`Another program uses port ${TEMPORAL_UI_PORT}, which Temporal Web needs. Set TEMPORAL_UI_PORT`);
  expect(await serversIn(folder)).toEqual([]);
});
