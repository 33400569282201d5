import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inject } from 'vitest';
import { ensureDashboard } from '../../dev/build/dashboard.js';
import { waitFor } from './wait-for.js';

let pages: Promise<string> | null = null;

/** The folder of the dashboard's pages. In a new checkout the first fork builds them, and the others wait for it. */
export function findPages(): Promise<string> {
  pages ??= buildOnce();
  return pages;
}

async function buildOnce(): Promise<string> {
  const folderOfRun = path.dirname(inject('workflowBundlePath'));
  const ended = path.join(folderOfRun, 'pages-built');
  try {
    mkdirSync(path.join(folderOfRun, 'pages-claimed'));
  } catch {
    await waitFor('the build of the pages', async () => existsSync(ended));
    return ensureDashboard();
  }
  return ensureDashboard().finally(() => writeFileSync(ended, ''));
}
