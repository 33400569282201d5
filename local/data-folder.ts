import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { StartError } from '../platform/start-error.js';
import { readStartTime } from './processes.js';

export interface DataFolder {
  readonly path: string;
  release(): void;
}

const Holder = z.object({ pid: z.int().positive(), birth: z.string() });

/** Creates a folder that only this user can read. */
export function makeDataFolder(given: string): string {
  const folder = path.resolve(given);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new StartError(
      `The data folder ${folder} cannot be created (${String(cause)}). Set DATA_DIR to a folder that you can write to.`,
      {
        cause,
      },
    );
  }
  return folder;
}

/** Creates the folder and locks it, so that only one service at a time uses it. */
export async function openDataFolder(given: string): Promise<DataFolder> {
  const folder = makeDataFolder(given);
  const lockFile = path.join(folder, 'running');
  const draft = `${lockFile}.${process.pid}`;
  const mine = JSON.stringify({ pid: process.pid, birth: await readStartTime(process.pid) });
  writeFileSync(draft, mine);
  try {
    while (!claim(draft, lockFile)) await removeStale(lockFile, draft, folder);
  } finally {
    rmSync(draft, { force: true });
  }
  return {
    path: folder,
    release: () => {
      if (readIfPresent(lockFile) === mine) rmSync(lockFile);
    },
  };
}

/** Creating a link is atomic and never replaces an existing file. */
function claim(draft: string, lockFile: string): boolean {
  try {
    linkSync(draft, lockFile);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

async function removeStale(lockFile: string, draft: string, folder: string): Promise<void> {
  const held = readIfPresent(lockFile);
  if (held === null) return;
  const pid = await findLivingHolder(held);
  if (pid !== null) {
    throw new StartError(
      `The service is already running on this data folder: pid ${pid}, ${folder}.\nStop it first (kill ${pid}), or set DATA_DIR to another folder.`,
    );
  }
  // Two starts can find the same stale lock: restore the lock if another start has replaced it.
  const taken = `${draft}.stale`;
  renameSync(lockFile, taken);
  if (readFileSync(taken, 'utf8') !== held) claim(taken, lockFile);
  rmSync(taken);
}

async function findLivingHolder(content: string): Promise<number | null> {
  try {
    const { pid, birth } = Holder.parse(JSON.parse(content));
    return (await readStartTime(pid)) === birth ? pid : null;
  } catch {
    return null;
  }
}

function readIfPresent(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
