import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, version } from 'vite';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = path.join(ROOT, 'dashboard');
/** What the pages are made of: themselves, the shared words, the libraries of the lock file, and what is done to them here. */
const MADE_OF = [SOURCES, path.join(ROOT, 'domain'), path.join(ROOT, 'package-lock.json'), fileURLToPath(import.meta.url)];
/** Where the API of these sources looks for them. */
const PAGES = path.join(ROOT, 'pages');
const DIGEST = '.made-of';

/** Builds the pages into a folder, each file also compressed. */
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
  await compressFiles(outDir);
}

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Whoever starts from sources waits for it: the last 7 % (quality 11) would take many times as long. */
const BROTLI_QUALITY = 9;

/** Beside each file, once: `api/dashboard.ts` sends what the browser takes. */
async function compressFiles(folder: string): Promise<void> {
  // The page itself is filled in for each request.
  const files = listFiles(folder).filter((file) => /\.(js|css|svg)$/.test(file));
  await Promise.all(
    files.map(async (file) => {
      const content = readFileSync(file);
      const [brotli, zipped] = await Promise.all([
        toBrotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
        toGzip(content, { level: constants.Z_BEST_COMPRESSION }),
      ]);
      writeFileSync(`${file}.br`, brotli);
      writeFileSync(`${file}.gz`, zipped);
    }),
  );
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
  writeFileSync(path.join(unfinished, DIGEST), digest);
  const outdated = `${unfinished}.outdated`;
  try {
    // Another process may have built the same meanwhile, and serves it by now.
    if (!isBuilt()) {
      moveIfThere(PAGES, outdated);
      renameSync(unfinished, PAGES);
    }
  } catch (error) {
    if (!existsSync(built)) throw error;
  } finally {
    for (const folder of [unfinished, outdated]) rmSync(folder, { recursive: true, force: true });
  }
  return PAGES;
}

/** As a whole: of two processes that replace the same folder at the same moment, neither meets half of it. */
function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (existsSync(from)) throw error;
  }
}

function digestOfSources(): string {
  const digest = createHash('sha256').update(version);
  for (const file of MADE_OF.flatMap(listFiles).sort()) digest.update(path.relative(ROOT, file)).update(readFileSync(file));
  return digest.digest('hex');
}

function listFiles(place: string): string[] {
  if (statSync(place).isFile()) return [place];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
