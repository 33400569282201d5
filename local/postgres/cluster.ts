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
import type { Owner } from '../processes.js';
import type { PostgresBinaries } from './binaries.js';
import { describeError, IS_ROOT, inOpenPlace, mayWrite, runAs } from './user.js';

export interface NewCluster {
  readonly folder: string;
  readonly binaries: PostgresBinaries;
  readonly owner: Owner | undefined;
  readonly password: string;
  readonly log: Logger;
  readonly signal?: AbortSignal | undefined;
}

const INITIALISE_LIMIT_MS = 180_000;
/** In the folder: the cluster itself, or a link to where it is kept because Postgres may not reach the folder. */
const DATA = 'data';
const UNFINISHED = 'new-';
/** Beside a cluster that is kept elsewhere: the folder with the link to it. */
const OWNER_NOTE = 'belongs-to';
const BEGIN_ANEW = 'To begin with an empty one, delete the data folder and start again.';
const REMOVE = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 } as const;

/** As root, the user `postgres` has to pass through our folders (without listing them). */
export function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: IS_ROOT ? 0o711 : 0o700 });
  if (!IS_ROOT) return;
  for (const passed of [folder, path.dirname(folder)]) {
    const { mode, uid } = statSync(passed);
    if (uid === 0 && (mode & 0o001) === 0) chmodSync(passed, (mode & 0o777) | 0o011);
  }
}

/** Where the folder's cluster is when that is not in the folder. */
export function clusterElsewhere(folder: string): string | null {
  return linkTarget(path.join(folder, DATA));
}

/** Null when there is none yet. */
export function findCluster(folder: string): string | null {
  const data = path.join(folder, DATA);
  const elsewhere = linkTarget(data);
  if (elsewhere === null) return existsSync(data) ? data : null;
  if (!existsSync(elsewhere)) throw new StartError(`The database of ${folder} was kept in ${elsewhere}, which is gone. ${BEGIN_ANEW}`);
  const here = realpathSync(folder);
  const noted = notedOwner(elsewhere);
  if (noted === here) return elsewhere;
  // Moved, the folder keeps its cluster; copied, two services would have one.
  if (noted !== null && linkTarget(path.join(noted, DATA)) === elsewhere)
    throw new StartError(`${folder} is a copy of ${noted}: the database in ${elsewhere} belongs to that one. ${BEGIN_ANEW}`);
  noteOwner(elsewhere, here);
  return elsewhere;
}

/** Made under another name or with no link to it yet: an interrupted start leaves nothing that looks complete. */
export async function makeCluster(cluster: NewCluster): Promise<string> {
  const { folder, owner, log } = cluster;
  const began = Date.now();
  removeUnfinished(folder);
  const fresh = path.join(folder, `${UNFINISHED}${randomBytes(6).toString('hex')}`);
  log.info('Making a new Postgres database cluster (first start only)');
  try {
    if (await prepareData(fresh, owner)) {
      await initialise(cluster, fresh);
      renameSync(path.join(fresh, DATA), path.join(folder, DATA));
    } else {
      rmSync(fresh, REMOVE);
      await initialise(cluster, await prepareElsewhere(fresh, owner));
      renameSync(fresh, path.join(folder, DATA));
    }
  } catch (cause) {
    throw new StartError(`Postgres could not make its database cluster in ${folder}: ${describeError(cause)}`, { cause });
  } finally {
    removeUnfinished(folder);
  }
  log.info({ elapsedMs: Date.now() - began }, 'The database cluster is made');
  return clusterElsewhere(folder) ?? path.join(folder, DATA);
}

/** Removes the folder, and the cluster with it wherever that is. Nothing may run on it any more. */
export function removePostgres(folder: string): void {
  if (!existsSync(folder)) return;
  removeUnfinished(folder);
  removeWithTarget(path.join(folder, DATA));
  rmSync(folder, REMOVE);
}

/** Makes the folder for the cluster; false when the user it is for cannot use it. */
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

/** Returns the folder for the cluster, to which `link` leads from now on. */
async function prepareElsewhere(link: string, owner: Owner | undefined): Promise<string> {
  return await inOpenPlace(async (openPlace) => {
    const place = path.join(openPlace, randomBytes(8).toString('hex'));
    try {
      if (!(await prepareData(place, owner))) throw new Error('is out of reach too');
      noteOwner(path.join(place, DATA), realpathSync(path.dirname(link)));
      symlinkSync(path.join(place, DATA), link);
      return place;
    } catch (error) {
      rmSync(place, REMOVE);
      throw error;
    }
  });
}

async function initialise({ binaries, owner, password, signal }: NewCluster, place: string): Promise<void> {
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
        // Postgres brings this locale itself, so that text sorts the same on every system.
        ...['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
      ],
      // What it complains about is for our log, in English whatever the terminal speaks.
      { env: { ...process.env, LC_ALL: 'C' }, timeoutMs: INITIALISE_LIMIT_MS, signal },
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
