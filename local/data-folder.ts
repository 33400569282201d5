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

/** Private to this user. */
export function makeDataFolder(given: string): string {
  const folder = path.resolve(given);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new StartError(`The data folder ${folder} cannot be made (${String(cause)}). Set DATA_DIR to a folder you may write to.`, {
      cause,
    });
  }
  return folder;
}

/** Makes the folder and holds it: one service at a time has it. */
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
      if (readIfThere(lockFile) === mine) rmSync(lockFile);
    },
  };
}

/** A link appears whole or not at all, and never in place of another. */
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
  const held = readIfThere(lockFile);
  if (held === null) return;
  const pid = await livingHolder(held);
  if (pid !== null) {
    throw new StartError(
      `The service is already running on this data folder: pid ${pid}, ${folder}.\nStop that one first (kill ${pid}), or set DATA_DIR to another folder.`,
    );
  }
  // Two starts may find the same leftover: what was moved away must be what was found dead.
  const taken = `${draft}.stale`;
  renameSync(lockFile, taken);
  if (readFileSync(taken, 'utf8') !== held) claim(taken, lockFile);
  rmSync(taken);
}

async function livingHolder(content: string): Promise<number | null> {
  try {
    const { pid, birth } = Holder.parse(JSON.parse(content));
    return (await readStartTime(pid)) === birth ? pid : null;
  } catch {
    return null;
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
