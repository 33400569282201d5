import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { startDemo } from '../../local/demo/demo.js';
import { freePort } from '../../local/ports.js';
import { removePostgres } from '../../local/postgres/cluster.js';
import { startService } from '../../local/service.js';
import { createLogger } from '../../platform/log.js';
import { readSettings } from '../../platform/settings.js';
import { startBrowser } from '../../test/servers/browser.js';

const FOLDER = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url));
const VIEWPORT = { width: 1280, height: 800 };
const ENDED: readonly number[] = [15, 20];
const Alerts = z.object({ items: z.array(z.object({ investigation_status: z.number() })) });

/** Runs the demo in a temporary folder and takes the screenshots of the documentation. */
const folder = mkdtempSync(path.join(tmpdir(), 'alert-investigator-screenshots-'));
const log = createLogger('warn', 'screenshots');
const ports = { PORT: String(await freePort()), TEMPORAL_UI_PORT: String(await freePort()) };
const stopping = new AbortController();
const demo = await startDemo(readSettings({ ...process.env, ...ports, DATA_DIR: folder }), stopping.signal);
const key = demo.settings.ADMIN_API_KEY ?? '';
const service = await startService({ settings: demo.settings, log, signal: stopping.signal, onAdminKey: () => {} });
const browser = await startBrowser(log);
try {
  console.log(await demo.seed(service.apiUrl));
  await demo.allSent();
  await untilInvestigated();
  const context = await browser.newContext({ viewport: VIEWPORT, baseURL: service.apiUrl, colorScheme: 'light', reducedMotion: 'reduce' });
  await context.addCookies([{ name: 'Session', value: key, url: service.apiUrl }]);
  mkdirSync(FOLDER, { recursive: true });
  await takeAll(await context.newPage());
} finally {
  await browser.close();
  stopping.abort();
  await service.stop();
  await demo.stop();
  removePostgres(path.join(folder, 'postgres'));
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

async function takeAll(page: Page): Promise<void> {
  const take = async (name: string) => {
    // Without the tooltip of the last click's place.
    await page.mouse.move(0, 0);
    await page.screenshot({ path: path.join(FOLDER, `${name}.png`) });
    console.log(`docs/screenshots/${name}.png`);
  };
  await page.goto('/');
  await page.getByRole('heading', { name: 'Needs approval' }).waitFor();
  await page
    .getByRole('link', { name: /^Isolate / })
    .first()
    .waitFor();
  await take('overview');
  await page.goto('/alerts');
  await page.getByRole('table', { name: 'Alerts' }).waitFor();
  await take('alerts');
  await page
    .getByRole('row')
    .filter({ hasText: 'Malware detected' })
    .getByRole('link', { name: /-CASE-/ })
    .click();
  await page.getByRole('region', { name: /^Isolate / }).waitFor();
  await take('case');
  await page.goto('/integrations/threat-intelligence?tab=connections');
  await page.getByRole('article').first().waitFor();
  await take('connector');
  await page.goto('/investigators');
  await page.getByRole('link', { name: /^Command and control/ }).click();
  await page
    .getByRole('region', { name: 'Plan steps' })
    .getByRole('button', { name: /^propose/ })
    .first()
    .click();
  await take('investigator');
}

async function untilInvestigated(): Promise<void> {
  for (;;) {
    const response = await fetch(`${service.apiUrl}/platformapi/alerts?limit=200`, { headers: { cookie: `Session=${key}` } });
    const { items } = Alerts.parse(await response.json());
    if (items.every(({ investigation_status: status }) => ENDED.includes(status))) return;
    await delay(500);
  }
}
