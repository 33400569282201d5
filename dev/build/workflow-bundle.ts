import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { digestFiles, ROOT } from './digest.js';
import { runBundler } from './run-bundler.js';

const BUNDLER = ['workflow-bundle', 'bundle-check-plugin', 'loop-guard-plugin', 'workflow-file'].map((name) => `worker/${name}.ts`);
/** The folders whose files a bundle can contain. */
export const BUNDLED_FOLDERS = ['workflows', 'domain', 'connectors'];
const INPUTS = [...BUNDLED_FOLDERS, ...BUNDLER, 'package-lock.json'].map((name) => path.join(ROOT, name));
const CACHE = path.join(ROOT, 'node_modules/.cache/alert-investigator');
const NAME = /^workflow-bundle-[0-9a-f]{16}\.js$/;
const BUNDLES_KEPT = 5;

/** Bundles the listed workflows when their sources have changed since the last bundle. Returns the path of the bundle. */
export async function ensureWorkflowBundle(onBuild: () => void = () => {}, signal?: AbortSignal): Promise<string> {
  // The source map in the bundle holds the path of this checkout, and checkouts can share node_modules.
  const digest = createHash('sha256').update(ROOT).update(digestFiles(INPUTS)).digest('hex').slice(0, 16);
  const file = path.join(CACHE, `workflow-bundle-${digest}.js`);
  if (existsSync(file)) return file;
  onBuild();
  mkdirSync(CACHE, { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  try {
    await runBundler({ bundle: 'workflows', entry: path.join(ROOT, 'workflows/index.ts'), root: ROOT, file: unfinished }, signal);
    renameSync(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
  removeOldBundles();
  return file;
}

function removeOldBundles(): void {
  const bundles = readdirSync(CACHE)
    .filter((name) => NAME.test(name))
    .map((name) => path.join(CACHE, name))
    .map((file) => ({ file, modifiedMs: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  for (const { file } of bundles.sort((a, b) => b.modifiedMs - a.modifiedMs).slice(BUNDLES_KEPT)) rmSync(file, { force: true });
}
