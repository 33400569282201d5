import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Result } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { StartError } from '../../platform/start-error.js';
import { startBrowser } from '../servers/browser.js';
import { afterEveryFile, afterEveryTest } from './cleanups.js';
import { log, waitFor } from './service.js';

const WIDE = { width: 1280, height: 860 };
export const NARROW = { width: 390, height: 844 };

/** Each look of the pages, not only one: `npm run test:full`. */
export const everyLook = process.env['TEST_FULL'] === '1';
/** The screens that the pages are made for: large, usual and a phone. */
export const SCREENS = (everyLook ? [{ width: 1440, height: 900 }, WIDE, NARROW] : [WIDE]).map((viewport) => ({ viewport }));

/** For tests of other looks of a page that has a test in its usual look. Empty in `npm test`. */
export const FURTHER_LOOKS = everyLook ? [{ viewport: NARROW, colorScheme: 'dark' as const }] : [];

/** All looks, or the first one in `npm test`. */
export function selectLooks<const Look>(looks: readonly Look[]): readonly Look[] {
  return everyLook ? looks : looks.slice(0, 1);
}

/** One browser for all files of the fork. null: the machine has none and cannot install one, which CI reports as a failure. */
const browser: Browser | null = await startBrowser(log).catch((error: unknown) => {
  if (process.env['CI'] === 'true' || !(error instanceof StartError)) throw error;
  console.warn(`The dashboard tests are skipped: ${error.message}`);
  return null;
});

/** Less than the limit of a test in vitest.config.ts. */
const PAGE_LIMIT_MS = 200_000;

/** A page in its own browser context. Opening one takes longer than most tests, so later tests of the file use it again. */
interface Tab {
  readonly serviceUrl: string;
  readonly page: Page;
  readonly consoleErrors: string[];
  isTaken: boolean;
}

let tabs: Tab[] = [];
const LEAVE_LIMIT_MS = 10_000;
/** Stops the application. A page of another origin would cost the renderer with all its compiled code. */
const PAGE_WITHOUT_SCRIPTS = '/healthz';
afterEveryTest.push(async ({ hasFailed }) => {
  const taken = tabs.filter(({ isTaken }) => isTaken);
  if (hasFailed) for (const { page } of taken) await describePage(page);
  // The function of a test that reached its limit still runs, and would use a page of the next test.
  await Promise.all(taken.map(hasFailed ? close : leave));
});

/** A test that waits for something on a page fails without saying what the page showed instead. */
async function describePage(page: Page): Promise<void> {
  const text = await page.locator('body').innerText({ timeout: LEAVE_LIMIT_MS }).catch(String);
  console.error(`The page ${page.url()} showed:\n${text.slice(0, 2000)}`);
}
afterEveryFile.push(async () => {
  tabs = [];
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
});

/** Forgets the user and the data of the page. A page that does not respond is closed. */
async function leave(tab: Tab): Promise<void> {
  const { page } = tab;
  const context = page.context();
  try {
    await Promise.all(context.pages().flatMap((other) => (other === page ? [] : [other.close()])));
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goto(PAGE_WITHOUT_SCRIPTS, { timeout: LEAVE_LIMIT_MS });
    await page.evaluate('sessionStorage.clear()');
    await clearStorage(context, tab.serviceUrl);
    tab.isTaken = false;
  } catch {
    await close(tab);
  }
}

async function close(tab: Tab): Promise<void> {
  tabs = tabs.filter((other) => other !== tab);
  await tab.page.context().close();
}

async function clearStorage(context: BrowserContext, origin: string): Promise<void> {
  await context.clearCookies();
  const session = await context.newCDPSession(context.pages()[0] ?? expect.fail('The context has no page.'));
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await session.detach();
}

/** Tests in a real browser. Without a browser they are reported as skipped. */
export const describeInBrowser = describe.skipIf(browser === null);

interface PageOptions {
  readonly viewport?: { width: number; height: number };
  readonly colorScheme?: 'light' | 'dark';
}

/** Opens a page as a signed-in user in its own browser context. The page is left after the test. */
export async function openPage(
  serviceUrl: string,
  key: string,
  { path = '/', ...options }: PageOptions & { path?: string } = {},
): Promise<Page> {
  const page = await newPage(serviceUrl, options);
  // The cookie that signing in sets: the form has its own tests and a rate limit.
  await page.context().addCookies([{ name: 'Session', value: key, url: serviceUrl, httpOnly: true, sameSite: 'Strict' }]);
  await page.goto(path);
  await untilSignedIn(page);
  return page;
}

/** Opens a page without signing in. */
export async function newPage(serviceUrl: string, { viewport = WIDE, colorScheme = 'light' }: PageOptions = {}): Promise<Page> {
  const { page } = await takeTab(serviceUrl);
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  return page;
}

async function takeTab(serviceUrl: string): Promise<Tab> {
  const free = tabs.find((tab) => !tab.isTaken && tab.serviceUrl === serviceUrl);
  if (free) {
    free.isTaken = true;
    free.consoleErrors.length = 0;
    return free;
  }
  if (browser === null) throw new Error('There is no browser.');
  const context = await browser.newContext({ baseURL: serviceUrl, reducedMotion: 'reduce' });
  // Only the time limit of the test counts: a busy machine is not a failure. A little less, so that the error names what did not come.
  context.setDefaultTimeout(PAGE_LIMIT_MS);
  const tab: Tab = { serviceUrl, page: await context.newPage(), consoleErrors: [], isTaken: true };
  tab.page.on('pageerror', (error) => tab.consoleErrors.push(error.message));
  tab.page.on('console', (message) => {
    // The page explains a refused request itself. Any other error is a defect.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) tab.consoleErrors.push(message.text());
  });
  tabs.push(tab);
  return tab;
}

/** Signs in with the form, which then opens the requested page. */
export async function signIn(page: Page, key: string, path = '/'): Promise<void> {
  await page.goto(`/sign-in?to=${encodeURIComponent(path)}`);
  await page.getByRole('button', { name: 'Use a key' }).click();
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await untilSignedIn(page);
}

/** Ends the session of the browser. An open page would go to the sign-in page while the test opens another one. */
export async function dropSession(page: Page): Promise<void> {
  await page.goto(PAGE_WITHOUT_SCRIPTS);
  await page.context().clearCookies();
}

/** On a small screen the menu is hidden until it is opened. */
export async function untilSignedIn(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages', includeHidden: true }).waitFor({ state: 'attached' });
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const ALL_RULES = {
  // Its findings are moderate at most, and only serious ones count.
  rules: { region: { enabled: false } },
};
/** The other rules judge elements and their places, which are the same in light and dark. */
const COLOR_RULES = { runOnly: ['color-contrast', 'link-in-text-block'] };

/** Expects no error in the console and, with every look, no serious finding of axe. `npm test` checks each page once: every-page.test.ts. */
export async function expectAccessible(page: Page, options: object = ALL_RULES): Promise<void> {
  if (everyLook) await expectNoFindings(page, options);
  expect(tabs.find((tab) => tab.page === page)?.consoleErrors).toEqual([]);
}

/** Expects no serious or critical finding of axe. */
async function expectNoFindings(page: Page, options: object): Promise<void> {
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) await page.evaluate(AXE);
  // Only the violations: the list of everything that passed takes longer to transfer than the check itself.
  const run = JSON.stringify({ resultTypes: ['violations'], ...options });
  const violations = await page.evaluate<Result[]>(`axe.run(document, ${run}).then(({ violations }) => violations)`);
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ; ')}`)).toEqual([]);
}

const FITS = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';

/** Expects that wide content scrolls in its own container and the page does not scroll sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [scrollWidth, clientWidth] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  );
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
}

/**
 * Expects that the page fits its screen and is accessible, with every look in light and dark. It stays in the other colors, because each
 * change of them takes as long as a check.
 */
export async function expectUsable(page: Page): Promise<void> {
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  if (!everyLook) return;
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  const colorScheme = isDark ? 'light' : 'dark';
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
  await expectAccessible(page, COLOR_RULES);
}

/** Expects that the page is usable on each of the screens that the pages are made for. */
export async function expectUsableOnEachScreen(page: Page, atScreen = async () => {}): Promise<void> {
  for (const { viewport } of SCREENS) {
    await page.setViewportSize(viewport);
    await atScreen();
    // The layout follows a new size of the window with a delay.
    await waitFor(`${page.url()} to fit ${viewport.width} pixels`, () => page.evaluate<boolean>(FITS));
    await expectUsable(page);
    if (!everyLook) await expectNoFindings(page, ALL_RULES);
  }
}
