import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, version } from 'vite';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = path.join(ROOT, 'dashboard');
/** What the pages are made of: themselves, the shared words, and the libraries of the lock file. */
const MADE_OF = [SOURCES, path.join(ROOT, 'domain'), path.join(ROOT, 'package-lock.json')];
/** Where the API of these sources looks for them. */
const PAGES = path.join(ROOT, 'pages');
const DIGEST = '.made-of';

/** Builds the pages into a folder. */
export async function buildDashboard(outDir: string): Promise<void> {
  const given = process.env['NODE_ENV'];
  // A test's own would bring the libraries' development code into pages that are kept.
  process.env['NODE_ENV'] = 'production';
  try {
    await build({
      root: SOURCES,
      configFile: false,
      logLevel: 'warn',
      plugins: [react()],
      build: { outDir, emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 1000 },
    });
  } finally {
    if (given === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = given;
  }
}

/** The pages of these sources: built when something has changed since the last time. */
export async function ensureDashboard(onBuild: () => void = () => {}): Promise<string> {
  const digest = digestOfSources();
  const built = path.join(PAGES, DIGEST);
  const isBuilt = () => existsSync(built) && readFileSync(built, 'utf8') === digest;
  if (isBuilt()) return PAGES;
  onBuild();
  const unfinished = `${PAGES}.${process.pid}`;
  await buildDashboard(unfinished);
  // Another process may have built the same meanwhile, and serves it by now.
  if (isBuilt()) {
    rmSync(unfinished, { recursive: true, force: true });
    return PAGES;
  }
  writeFileSync(path.join(unfinished, DIGEST), digest);
  rmSync(PAGES, { recursive: true, force: true });
  try {
    renameSync(unfinished, PAGES);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(built)) throw error;
  }
  return PAGES;
}

function digestOfSources(): string {
  const digest = createHash('sha256').update(version);
  for (const file of MADE_OF.flatMap(filesOf).sort()) digest.update(path.relative(ROOT, file)).update(readFileSync(file));
  return digest.digest('hex');
}

function filesOf(place: string): string[] {
  if (place.endsWith('.json')) return [place];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
