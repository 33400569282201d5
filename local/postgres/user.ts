import { execFile } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StartError } from '../../platform/start-error.js';
import { childEnvironment, type Owner } from '../processes.js';
import { announceSystemChange, SystemChangeForbidden } from '../system-changes.js';

export const IS_ROOT = process.getuid?.() === 0;

const USER = 'postgres';
const CREATE_ATTEMPTS = 8;
const CREATE_AGAIN_MS = 500;
const SHORT_LIMIT_MS = 60_000;
/** In order of preference. A restart of the machine can empty the last one. */
const OPEN_PLACES = ['/var/lib', '/opt', '/srv', tmpdir()].map((folder) => path.join(folder, 'alert-investigator'));
/** For a data folder or a checkout that the user postgres cannot reach. */
export const CHOICES_WITHOUT_CHANGES = `Move the checkout and DATA_DIR to folders that the user ${USER} can reach (chmod o+x for each folder of the path), or start as an ordinary user, or set DATABASE_URL.`;
const executeFile = promisify(execFile);

export interface RunAsOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Postgres refuses to run as root. As root it runs as the system user postgres, which this creates when missing. */
export async function postgresUser(): Promise<Owner> {
  for (let attempt = 1; ; attempt += 1) {
    const known = await lookUp();
    if (known !== null) return known;
    if (attempt === 1)
      announceSystemChange({
        change: `create the system user and group ${USER} (groupadd, useradd), because Postgres refuses to run as root`,
        instead: `Create the user yourself (useradd --system ${USER}), or start as an ordinary user, or set DATABASE_URL.`,
      });
    try {
      await executeFile('groupadd', ['--force', '--system', USER]);
      await executeFile('useradd', ['--system', '--gid', USER, '--no-create-home', '--shell', '/usr/sbin/nologin', USER]);
    } catch (cause) {
      // Another start may hold the lock on the list of users, and create the user.
      if (attempt === CREATE_ATTEMPTS)
        throw new StartError(
          `Postgres refuses to run as root, and the user ${USER} could not be created (${describeError(cause)}). Create that user, or start as an ordinary user.`,
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

/** Runs a command as that user (undefined: the current user) in a folder that every user can enter. */
export async function runAs(owner: Owner | undefined, command: string, args: readonly string[], options: RunAsOptions = {}): Promise<void> {
  const { env = childEnvironment(), timeoutMs = SHORT_LIMIT_MS, signal } = options;
  signal?.throwIfAborted();
  const running = executeFile(command, args, { uid: owner?.uid, gid: owner?.gid, cwd: '/', env, timeout: timeoutMs });
  // Not the `signal` of execFile, which does not wait for the end of the process.
  const interrupt = () => running.child.kill();
  signal?.addEventListener('abort', interrupt);
  try {
    await running;
  } finally {
    signal?.removeEventListener('abort', interrupt);
  }
}

/** Runs `test -w` as that user, because folders of the path, access lists and the file system all matter. */
export async function mayWrite(owner: Owner | undefined, folder: string): Promise<boolean> {
  return await runAs(owner, 'test', ['-w', folder]).then(
    () => true,
    () => false,
  );
}

/**
 * Does the work in the first suitable folder that belongs to root and that the user postgres can pass through. When the work
 * fails in one folder, it is tried in the next.
 */
export async function inOpenPlace<T>(work: (place: string) => Promise<T>): Promise<T> {
  const refusals: string[] = [];
  for (const place of OPEN_PLACES) {
    try {
      openPlace(place);
      return await work(place);
    } catch (error) {
      if (error instanceof SystemChangeForbidden) throw error;
      refusals.push(`${place}: ${describeError(error)}`);
    }
  }
  throw new StartError(
    `Postgres runs as the user ${USER}, and no folder is suitable for its files. Start as an ordinary user, or set DATABASE_URL.\n${refusals.join('\n')}`,
  );
}

function openPlace(place: string): void {
  if (!existsSync(place)) {
    announceSystemChange({
      change: `create the folder ${place} for files that the user ${USER} must reach`,
      instead: CHOICES_WITHOUT_CHANGES,
    });
    mkdirSync(place, { recursive: true });
    chmodSync(place, 0o755);
  }
  const found = lstatSync(place);
  // Programs run from here, so only root may write to it.
  if (!found.isDirectory() || found.uid !== 0 || (found.mode & 0o022) !== 0) throw new Error('is not a folder that only root can write to');
}

export function describeError(error: unknown): string {
  return error instanceof Error ? error.message.trim() : String(error);
}
