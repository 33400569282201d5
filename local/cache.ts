import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** A folder for downloads and builds that all checkouts of this user share. */
export function cacheFolder(name: string): string {
  const base =
    process.platform === 'darwin'
      ? path.join(homedir(), 'Library', 'Caches')
      : process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache');
  return path.join(base, 'alert-investigator', name);
}

/** Creates the files in a folder of this process and moves them when complete, so that no process sees half a file. */
export async function installFiles(targets: readonly string[], make: (folder: string) => Promise<readonly string[]>): Promise<void> {
  const parent = path.dirname(targets[0] ?? '');
  mkdirSync(parent, { recursive: true });
  for (const leftover of readdirSync(parent)) {
    const [, pid] = /^making-(\d+)$/.exec(leftover) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(path.join(parent, leftover), { recursive: true, force: true });
  }
  const folder = path.join(parent, `making-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  try {
    const made = await make(folder);
    for (const [index, file] of made.entries()) renameSync(file, targets[index] ?? '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
