import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** What takes long to get is kept for this user, outside every checkout. */
export function cacheFolder(name: string): string {
  const base =
    process.platform === 'darwin'
      ? path.join(homedir(), 'Library', 'Caches')
      : process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache');
  return path.join(base, 'alert-investigator', name);
}

/** Made in a folder of this process and moved when complete: nobody sees half a file, and two at once do not meet. */
export async function installFiles(targets: readonly string[], make: (folder: string) => Promise<readonly string[]>): Promise<void> {
  const parent = path.dirname(targets[0] ?? '');
  mkdirSync(parent, { recursive: true });
  for (const left of readdirSync(parent)) {
    const [, pid] = /^making-(\d+)$/.exec(left) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(path.join(parent, left), { recursive: true, force: true });
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
