import { execFile } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StartError } from '../../platform/start-error.js';
import type { Owner } from '../processes.js';

export const IS_ROOT = process.getuid?.() === 0;

const USER = 'postgres';
const CREATE_ATTEMPTS = 8;
const CREATE_AGAIN_MS = 500;
const SHORT_LIMIT_MS = 60_000;
/** In this order; what is in the last may not outlive a restart of the machine. */
const OPEN_PLACES = ['/var/lib', '/opt', '/srv', tmpdir()].map((folder) => path.join(folder, 'alert-investigator'));
const executeFile = promisify(execFile);

export interface RunAsOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Postgres refuses to be root: as root it runs as the system's user `postgres`, who is made when there is none. */
export async function postgresUser(): Promise<Owner> {
  for (let attempt = 1; ; attempt += 1) {
    const known = await lookUp();
    if (known !== null) return known;
    try {
      await executeFile('groupadd', ['--force', '--system', USER]);
      await executeFile('useradd', ['--system', '--gid', USER, '--no-create-home', '--shell', '/usr/sbin/nologin', USER]);
    } catch (cause) {
      // Two starts at the same moment: one of them finds the list of users locked, and a moment later its user made.
      if (attempt === CREATE_ATTEMPTS)
        throw new StartError(
          `As root, Postgres has to run as the user ${USER}, who could not be made (${describeError(cause)}). Make that user, or start as an ordinary one.`,
          { cause },
        );
      await sleep(CREATE_AGAIN_MS);
    }
  }
}

async function lookUp(): Promise<Owner | null> {
  try {
    const [uid, gid] = await Promise.all(['-u', '-g'].map(async (flag) => Number((await executeFile('id', [flag, USER])).stdout)));
    return uid !== undefined && gid !== undefined && uid > 0 ? { uid, gid } : null;
  } catch {
    return null;
  }
}

/** Runs a command to its end as that user (undefined: as ourselves), from a folder that everybody may be in. */
export async function runAs(owner: Owner | undefined, command: string, args: readonly string[], options: RunAsOptions = {}): Promise<void> {
  const { env = process.env, timeoutMs = SHORT_LIMIT_MS, signal } = options;
  signal?.throwIfAborted();
  const running = executeFile(command, args, { uid: owner?.uid, gid: owner?.gid, cwd: '/', env, timeout: timeoutMs });
  // Not execFile's own `signal`, which does not wait until what was interrupted has ended.
  const interrupt = () => running.child.kill();
  signal?.addEventListener('abort', interrupt);
  try {
    await running;
  } finally {
    signal?.removeEventListener('abort', interrupt);
  }
}

/** Asks the system as that user, who may be kept out by any folder on the way, an access list or the file system itself. */
export async function mayWrite(owner: Owner | undefined, folder: string): Promise<boolean> {
  return await runAs(owner, 'test', ['-w', folder]).then(
    () => true,
    () => false,
  );
}

/**
 * Does the work in a folder of root's that others may pass through, for what the user `postgres` has to reach but lies
 * behind one they may not. Where it does not succeed, the next place is tried.
 */
export async function inOpenPlace<T>(work: (place: string) => Promise<T>): Promise<T> {
  const refusals: string[] = [];
  for (const place of OPEN_PLACES) {
    try {
      openPlace(place);
      return await work(place);
    } catch (error) {
      refusals.push(`${place}: ${describeError(error)}`);
    }
  }
  throw new StartError(`As root, Postgres runs as another user, and there is no place that one can reach.\n${refusals.join('\n')}`);
}

function openPlace(place: string): void {
  if (!existsSync(place)) {
    mkdirSync(place, { recursive: true });
    chmodSync(place, 0o755);
  }
  const found = lstatSync(place);
  // Programs are run from here: nobody else may have put them there.
  if (!found.isDirectory() || found.uid !== 0 || (found.mode & 0o022) !== 0) throw new Error('is not a folder that only root may write to');
}

export function describeError(error: unknown): string {
  return error instanceof Error ? error.message.trim() : String(error);
}
