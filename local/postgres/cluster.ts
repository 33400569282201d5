import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Logger } from '../../platform/log.js';
import { StartError } from '../../platform/start-error.js';
import { childEnvironment, type Owner } from '../processes.js';
import { announceSystemChange, SystemChangeForbidden } from '../system-changes.js';
import type { PostgresBinaries } from './binaries.js';
import { CHOICES_WITHOUT_CHANGES, describeError, IS_ROOT, inOpenPlace, mayWrite, runAs } from './user.js';

export interface NewCluster {
  readonly folder: string;
  readonly binaries: PostgresBinaries;
  readonly owner: Owner | undefined;
  readonly password: string;
  readonly log: Logger;
  readonly signal?: AbortSignal | undefined;
}

const INITIALIZE_LIMIT_MS = 180_000;
/** In the folder: the cluster, or a link to it when the user postgres cannot reach the folder. */
const DATA = 'data';
const UNFINISHED = 'new-';
/** A file next to a cluster outside the folder. It names the folder with the link. */
const OWNER_NOTE = 'belongs-to';
const START_EMPTY = 'To start with an empty database, delete the data folder and start again.';
const REMOVE = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 } as const;

/** As root, the user postgres needs to pass through our folders, without listing them. */
export function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: IS_ROOT ? 0o711 : 0o700 });
  if (!IS_ROOT) return;
  for (const passed of [folder, path.dirname(folder)]) {
    const { mode, uid } = statSync(passed);
    if (uid === 0 && (mode & 0o001) === 0) chmodSync(passed, (mode & 0o777) | 0o011);
  }
}

/** The path of the folder's cluster when it is outside the folder. */
export function clusterElsewhere(folder: string): string | null {
  return linkTarget(path.join(folder, DATA));
}

/** Null when the folder has no cluster yet. */
export function findCluster(folder: string): string | null {
  const data = path.join(folder, DATA);
  const elsewhere = linkTarget(data);
  if (elsewhere === null) return existsSync(data) ? data : null;
  if (!existsSync(elsewhere)) throw new StartError(`The database of ${folder} was in ${elsewhere}, which no longer exists. ${START_EMPTY}`);
  const here = realpathSync(folder);
  const noted = notedOwner(elsewhere);
  if (noted === here) return elsewhere;
  // A moved folder keeps its cluster. A copied folder must not share it.
  if (noted !== null && linkTarget(path.join(noted, DATA)) === elsewhere)
    throw new StartError(`${folder} is a copy of ${noted}, and the database in ${elsewhere} belongs to the original. ${START_EMPTY}`);
  noteOwner(elsewhere, here);
  return elsewhere;
}

/** Renames or links the cluster when it is complete, so that an interrupted start leaves nothing that looks complete. */
export async function createCluster(cluster: NewCluster): Promise<string> {
  const { folder, owner, log } = cluster;
  const began = Date.now();
  removeUnfinished(folder);
  const fresh = path.join(folder, `${UNFINISHED}${randomBytes(6).toString('hex')}`);
  log.info('Creating the Postgres database cluster (first start only)');
  try {
    if (await prepareData(fresh, owner)) {
      await initializeCluster(cluster, fresh);
      renameSync(path.join(fresh, DATA), path.join(folder, DATA));
    } else {
      rmSync(fresh, REMOVE);
      await initializeCluster(cluster, await prepareElsewhere(fresh, owner));
      renameSync(fresh, path.join(folder, DATA));
    }
  } catch (cause) {
    if (cause instanceof SystemChangeForbidden) throw cause;
    throw new StartError(`Postgres could not create its database cluster in ${folder}: ${describeError(cause)}`, { cause });
  } finally {
    removeUnfinished(folder);
  }
  log.info({ elapsedMs: Date.now() - began }, 'Created the database cluster');
  return clusterElsewhere(folder) ?? path.join(folder, DATA);
}

/** Removes the folder and its cluster, also outside the folder. Stop the server first. */
export function removePostgres(folder: string): void {
  if (!existsSync(folder)) return;
  removeUnfinished(folder);
  removeWithTarget(path.join(folder, DATA));
  rmSync(folder, REMOVE);
}

/** Creates the folder for the cluster. Returns false when its owner cannot use the folder. */
async function prepareData(place: string, owner: Owner | undefined): Promise<boolean> {
  makeFolder(place);
  const data = path.join(place, DATA);
  mkdirSync(data, { mode: 0o700 });
  if (owner === undefined) return true;
  try {
    chownSync(data, owner.uid, owner.gid);
  } catch {
    return false;
  }
  return await mayWrite(owner, data);
}

/** Creates a folder for the cluster outside the data folder, with `link` pointing to it. */
async function prepareElsewhere(link: string, owner: Owner | undefined): Promise<string> {
  return await inOpenPlace(async (openPlace) => {
    const place = path.join(openPlace, randomBytes(8).toString('hex'));
    announceSystemChange({
      change: `create the database in ${place}, because the user postgres cannot reach ${path.dirname(link)}`,
      instead: CHOICES_WITHOUT_CHANGES,
    });
    try {
      if (!(await prepareData(place, owner))) throw new Error('the user postgres cannot reach it either');
      noteOwner(path.join(place, DATA), realpathSync(path.dirname(link)));
      symlinkSync(path.join(place, DATA), link);
      return place;
    } catch (error) {
      rmSync(place, REMOVE);
      throw error;
    }
  });
}

async function initializeCluster({ binaries, owner, password, signal }: NewCluster, place: string): Promise<void> {
  const passwordFile = path.join(place, 'password');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600, flag: 'wx' });
  if (owner !== undefined) chownSync(passwordFile, owner.uid, owner.gid);
  try {
    await runAs(
      owner,
      binaries.initdb,
      [
        `--pgdata=${path.join(place, DATA)}`,
        '--auth=scram-sha-256',
        '--username=postgres',
        `--pwfile=${passwordFile}`,
        // Postgres includes this locale, so that text sorts the same on every system.
        ...['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
      ],
      // Error messages in English, whatever the locale of the terminal.
      { env: { ...childEnvironment(), LC_ALL: 'C' }, timeoutMs: INITIALIZE_LIMIT_MS, signal },
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) if (name.startsWith(UNFINISHED)) removeWithTarget(path.join(folder, name));
}

function removeWithTarget(file: string): void {
  const target = linkTarget(file);
  if (target !== null && notedOwner(target) === realpathSync(path.dirname(file))) rmSync(path.dirname(target), REMOVE);
  rmSync(file, REMOVE);
}

function notedOwner(cluster: string): string | null {
  const note = path.join(path.dirname(cluster), OWNER_NOTE);
  return existsSync(note) ? readFileSync(note, 'utf8').trim() : null;
}

function noteOwner(cluster: string, folder: string): void {
  writeFileSync(path.join(path.dirname(cluster), OWNER_NOTE), `${folder}\n`);
}

function linkTarget(file: string): string | null {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(file) : null;
}
