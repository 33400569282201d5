import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { digestFiles, ROOT } from './digest.js';
import { runBundler } from './run-bundler.js';

const INPUTS = ['dashboard', 'domain', 'package-lock.json', 'dev/build/bundle-dashboard.ts'].map((name) => path.join(ROOT, name));
/** The API looks for the pages here when it runs from sources. */
const PAGES = path.join(ROOT, 'pages');
const DIGEST = '.digest';

/** Builds the pages when their sources have changed since the last build. Returns their folder. */
export async function ensureDashboard(onBuild: () => void = () => {}, signal?: AbortSignal): Promise<string> {
  const digest = digestFiles(INPUTS);
  const built = path.join(PAGES, DIGEST);
  const isBuilt = () => existsSync(built) && readFileSync(built, 'utf8') === digest;
  if (isBuilt()) return PAGES;
  onBuild();
  const unfinished = `${PAGES}.${process.pid}`;
  const outdated = `${unfinished}.outdated`;
  try {
    await runBundler({ bundle: 'dashboard', outDir: unfinished }, signal);
    writeFileSync(path.join(unfinished, DIGEST), digest);
    // Another process may have built the same pages in the meantime and may serve them.
    if (!isBuilt()) {
      moveIfPresent(PAGES, outdated);
      renameSync(unfinished, PAGES);
    }
  } catch (error) {
    if (!isBuilt()) throw error;
  } finally {
    for (const folder of [unfinished, outdated]) rmSync(folder, { recursive: true, force: true });
  }
  return PAGES;
}

/** Renames, so that another process that replaces the same folder never sees a partial folder. */
function moveIfPresent(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (existsSync(from)) throw error;
  }
}
