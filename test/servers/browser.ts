import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { IS_ROOT } from '../../local/postgres/user.js';
import type { Logger } from '../../platform/log.js';
import { installDebianPackage } from './debian-package.js';

/** The shell comes first: it has no window, so opening a page takes less CPU time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/snap/bin/chromium',
];

function findBrowser(): string | null {
  const given = process.env['CHROMIUM_PATH'];
  const onPath = (process.env['PATH'] ?? '').split(path.delimiter).flatMap((folder) => NAMES.map((name) => path.join(folder, name)));
  return [...(given ? [given] : []), ...onPath, ...ELSEWHERE].find((file) => existsSync(file)) ?? null;
}

/** Starts a headless browser that is installed, or installs one where possible. Otherwise throws a StartError with the cause. */
export async function startBrowser(log: Logger): Promise<Browser> {
  if (findBrowser() === null) await installBrowser(log);
  return chromium.launch({
    executablePath: findBrowser() ?? 'chromium',
    // Our process handles signals. Chromium ends when its pipe closes.
    ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
    args: ['--disable-background-networking', '--disable-component-update', '--no-first-run', ...(IS_ROOT ? ['--no-sandbox'] : [])],
  });
}

async function installBrowser(log: Logger): Promise<void> {
  const wanted = { what: 'Chromium', otherwise: 'set CHROMIUM_PATH to a Chromium or Chrome' };
  try {
    await installDebianPackage(log, { name: 'chromium-headless-shell', ...wanted });
  } catch {
    // Earlier releases of Debian have only the browser with a window.
    await installDebianPackage(log, { name: 'chromium', ...wanted });
  }
}
