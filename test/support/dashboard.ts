import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect } from 'vitest';
import { StartError } from '../../platform/start-error.js';
import { startBrowser } from '../servers/browser.js';
import { log } from './service.js';

const WIDE = { width: 1280, height: 860 };
export const NARROW = { width: 390, height: 844 };

/** null: this machine has none, and none could be installed. Where everything has to be tested, that is a failure. */
const browser: Browser | null = await startBrowser(log).catch((error: unknown) => {
  if (process.env['CI'] === 'true' || !(error instanceof StartError)) throw error;
  console.warn(`No page of this file is tested: ${error.message}`);
  return null;
});
afterEach(() => Promise.all((browser?.contexts() ?? []).map((context) => context.close())));
afterAll(() => browser?.close());

/** Tests in a real browser; skipped by name where there is none. */
export const describeInBrowser = describe.skipIf(browser === null);

interface Looks {
  readonly viewport?: { width: number; height: number };
  readonly colorScheme?: 'light' | 'dark';
}

/** A page of a signed-in person, in a browser that knows nothing of the others; it lasts for one test. */
export async function openPage(serviceUrl: string, key: string, { path = '/', ...looks }: Looks & { path?: string } = {}): Promise<Page> {
  const page = await newPage(serviceUrl, looks);
  // What the sign-in leaves; the form has tests of its own, and is limited.
  await page.context().addCookies([{ name: 'Session', value: key, url: serviceUrl, httpOnly: true, sameSite: 'Strict' }]);
  await page.goto(path);
  await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
  return page;
}

/** Nobody is signed in yet. */
export async function newPage(serviceUrl: string, { viewport = WIDE, colorScheme = 'light' }: Looks = {}): Promise<Page> {
  if (browser === null) throw new Error('There is no browser.');
  const context = await browser.newContext({ viewport, baseURL: serviceUrl, colorScheme, reducedMotion: 'reduce' });
  // The test's own limit is the only one: a busy machine is no failure.
  context.setDefaultTimeout(0);
  context.setDefaultNavigationTimeout(0);
  const page = await context.newPage();
  page.on('pageerror', (error) => collectComplaints(page).push(error.message));
  page.on('console', (message) => {
    // A refused request is the page's to explain; everything else is a fault of ours.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) collectComplaints(page).push(message.text());
  });
  return page;
}

const complaints = new WeakMap<Page, string[]>();

function collectComplaints(page: Page): string[] {
  const known = complaints.get(page) ?? [];
  complaints.set(page, known);
  return known;
}

/** By the form, as a person does; leads to the page that was asked for. */
export async function signIn(page: Page, key: string, path = '/'): Promise<void> {
  await page.goto(`/sign-in?to=${encodeURIComponent(path)}`);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
}

/** Nothing that keeps somebody from using the page (axe: serious or critical), and no error in its console. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run(document)');
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ; ')}`)).toEqual([]);
  expect(collectComplaints(page)).toEqual([]);
}

/** Wide content is scrolled within itself, never the page. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [needed, there] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  );
  expect(needed).toBeLessThanOrEqual(there);
}
