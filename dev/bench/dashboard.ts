import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../../test/servers/browser.js';
import { ensureDashboard } from '../build/dashboard.js';
import { fillWithAlerts } from './lists-data.js';
import { median, quantile, round, timed } from './measures.js';
import type { Part } from './report.js';
import { progress, type Stage } from './stage.js';

const ALERTS = 100_000;
const ROUNDS = 12;
/** The first rounds warm up the server and the browser. */
const WARM_UP = 2;
const WITHIN_SECONDS = 2;

const VISITS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'a bare page': (page) => visit(page, '/bare', () => page.getByRole('button', { name: 'Ready' }).click()),
  'sign-in': (page) => visit(page, '/sign-in', () => page.getByLabel('Email').fill('dana@demo.example')),
  'list of alerts': (page) => visit(page, '/alerts', () => page.getByRole('table', { name: 'Alerts' }).getByRole('link').first().hover()),
};

async function visit(page: Page, place: string, use: () => Promise<unknown>): Promise<void> {
  await page.goto(place, { waitUntil: 'commit' });
  await use();
}

/** The time until a page is usable in a real browser with an empty cache, compared with a bare page in the same rounds. */
export async function measureDashboard(stage: Stage): Promise<Part> {
  const dashboardFolder = await ensureDashboard(() => progress('dashboard: building the pages'));
  const database = await stage.database('dashboard');
  await fillWithAlerts(database.url, ALERTS);
  const script = new URL('./app-process.ts', import.meta.url);
  const { url } = await stage.child(script, { kind: 'ours', databaseUrl: database.url, dashboardFolder });
  const browser = await startBrowser(stage.log);
  const times = new Map<string, number[]>(Object.keys(VISITS).map((name) => [name, []]));
  let firstLoad: string[] = [];
  try {
    for (let turn = 0; turn < ROUNDS + WARM_UP; turn += 1) {
      stage.signal.throwIfAborted();
      for (const [name, use] of Object.entries(VISITS)) {
        const { tookMs, files } = await visitCold(browser, { url, key: database.adminKey }, use);
        if (turn >= WARM_UP) times.get(name)?.push(tookMs);
        if (name === 'list of alerts') firstLoad = files;
      }
    }
  } finally {
    await browser.close();
  }

  const of = (name: string) => times.get(name) ?? [];
  const p50 = (name: string) => median(of(name));
  const compareWith = (name: string) => `${round(p50(name) / p50('a bare page'), 1)}×`;
  return {
    name: 'dashboard',
    title: `Time until a page is usable, in ms, with an empty cache and ${ALERTS.toLocaleString('en')} alerts`,
    columns: ['page', 'p50', 'slowest', 'compared with a bare page'],
    rows: [...times.keys()].map((name) => [name, round(p50(name), 0), round(quantile(of(name), 1), 0), compareWith(name)]),
    notes: [
      `${ROUNDS} rounds in headless Chromium, a browser context of its own for each visit.`,
      describeSizes('Files of the list of alerts', firstLoad, dashboardFolder),
      describeSizes('Files of all pages', listAssets(dashboardFolder), dashboardFolder),
    ],
    bars: ['sign-in', 'list of alerts'].map((name) => ({ name: `${name}, seconds`, measured: p50(name) / 1000, atMost: WITHIN_SECONDS })),
    details: Object.fromEntries(times),
  };
}

async function visitCold(browser: Browser, server: { url: string; key: string }, use: (page: Page) => Promise<unknown>) {
  const context = await browser.newContext({ baseURL: server.url });
  await context.addCookies([{ name: 'Session', value: server.key, url: server.url }]);
  const page = await context.newPage();
  const files: string[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (/\.(js|css)$/.test(pathname)) files.push(pathname);
  });
  const tookMs = await timed(() => use(page));
  await context.close();
  return { tookMs, files };
}

function listAssets(folder: string): string[] {
  return readdirSync(path.join(folder, 'assets')).map((file) => `/assets/${file}`);
}

function describeSizes(what: string, files: readonly string[], folder: string): string {
  const contents = files.filter((file) => /\.(js|css)$/.test(file)).map((file) => readFileSync(path.join(folder, file)));
  const kilobytes = (sizes: readonly number[]) => round(sizes.reduce((sum, size) => sum + size, 0) / 1000, 0);
  const raw = kilobytes(contents.map(({ length }) => length));
  const zipped = kilobytes(contents.map((content) => gzipSync(content).length));
  return `${what}: ${contents.length} files, ${raw} kB, ${zipped} kB as gzip.`;
}
