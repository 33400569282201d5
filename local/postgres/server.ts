import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import postgres from 'postgres';
import type { Logger } from '../../platform/log.js';
import { StartError } from '../../platform/start-error.js';
import { rememberedPort } from '../ports.js';
import type { Owner, StopStep } from '../processes.js';
import { secretIn } from '../secrets.js';
import { endOrphan, readPid, type SupervisedChild, supervise } from '../supervisor.js';
import { findBinaries } from './binaries.js';
import { clusterElsewhere, createCluster, findCluster, makeFolder, removePostgres } from './cluster.js';
import { IS_ROOT, mayWrite, postgresUser } from './user.js';

export interface PostgresOptions {
  /** The folder for all its data, created when missing. */
  readonly folder: string;
  /** Default: the port of the last start if it is free, else a free port. */
  readonly port?: number;
  /** Server settings in addition to ours, for example `fsync: 'off'` for a cluster that is thrown away. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly log: Logger;
  readonly signal?: AbortSignal | undefined;
}

export interface RunningPostgres {
  readonly port: number;
  readonly child: SupervisedChild;
  /** The path of the cluster, which is outside the folder when the user postgres cannot reach the folder. */
  readonly dataFolder: string;
  url(database: string): string;
  /** Does nothing when the database exists. */
  createDatabase(name: string): Promise<void>;
  stop(): Promise<void>;
  /** Stops it and removes all its data. For temporary clusters. */
  destroy(): Promise<void>;
}

const NAME = 'Postgres';
const READY_LIMIT_MS = 180_000;
/** A busy machine that replays the log of a killed server can take this long for a connection. */
const CONNECT_LIMIT_SECONDS = 30;
// Fast shutdown (rolls open transactions back), then immediate shutdown (the next start recovers), then kill.
const STOP_STEPS: readonly StopStep[] = [
  ['SIGINT', 30_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 10_000],
];

export async function startPostgres({ folder: givenFolder, log, signal, ...options }: PostgresOptions): Promise<RunningPostgres> {
  const folder = path.resolve(givenFolder);
  const pidFile = path.join(folder, 'postgres.pid');
  makeFolder(folder);
  const password = secretIn(path.join(folder, 'password'), () => randomBytes(24).toString('hex'));
  const found = findCluster(folder);
  const owner = await findOwner(found);
  const binaries = await findBinaries(owner, log);
  const dataFolder = found ?? (await createCluster({ folder, binaries, owner, password, log, signal }));
  if (clusterElsewhere(folder) !== null)
    log.info(`Postgres runs as the user postgres, who cannot reach ${folder}: the database is in ${dataFolder}`);

  const postmasterFile = path.join(dataFolder, 'postmaster.pid');
  const orphan = { name: NAME, marker: dataFolder, stopSteps: STOP_STEPS, log };
  for (const file of [pidFile, postmasterFile]) await endOrphan(orphan, file);
  disownStalePidFile(postmasterFile);

  const port = options.port ?? (await rememberedPort(path.join(folder, 'port')));
  const url = (database: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
  const child = await supervise({
    name: NAME,
    command: binaries.postgres,
    args: ['-D', dataFolder, '-p', String(port), ...settingFlags(options.settings)],
    marker: dataFolder,
    owner,
    pidFile,
    logFile: path.join(folder, 'postgres.log'),
    stopSteps: STOP_STEPS,
    probe: () => query(url('postgres'), async (pg) => await pg`select 1`),
    readyTimeoutMs: READY_LIMIT_MS,
    log,
    signal,
  });
  return {
    port,
    child,
    dataFolder,
    url,
    createDatabase: (name) =>
      query(url('postgres'), async (pg) => {
        const [found] = await pg`select 1 from pg_database where datname = ${name}`;
        if (!found) await pg`create database ${pg(name)}`;
      }),
    stop: child.stop,
    destroy: async () => {
      await child.stop();
      removePostgres(folder);
    },
  };
}

/** fsync and synchronous_commit keep their default, on: acknowledged alerts are on disk. */
function settingFlags(given: PostgresOptions['settings']): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '256MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...given,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function query(url: string, ask: (pg: postgres.Sql) => Promise<unknown>): Promise<void> {
  // postgres.js does not await its query for types, so a failure of that query would be unhandled.
  const pg = postgres(url, { max: 1, connect_timeout: CONNECT_LIMIT_SECONDS, fetch_types: false, onnotice: () => undefined });
  try {
    await ask(pg);
  } finally {
    await pg.end({ timeout: 1 });
  }
}

/** The user that Postgres runs as. Undefined for the current user. As root, the owner of an existing cluster. */
async function findOwner(dataFolder: string | null): Promise<Owner | undefined> {
  if (!IS_ROOT) return undefined;
  if (dataFolder === null) return await postgresUser();
  const owner = statSync(dataFolder);
  if (await mayWrite(owner, dataFolder)) return owner;
  throw new StartError(
    `Postgres runs as the user with the id ${owner.uid}, who can no longer reach the database in ${dataFolder}. Allow it (chmod o+x for each folder of the path), or move ${dataFolder} back to its first place.`,
  );
}

/**
 * The last Postgres has ended. If another process has its pid by now, Postgres would refuse to start. With the parent's pid
 * in the first line, Postgres checks the shared memory instead, as after a crash.
 */
function disownStalePidFile(file: string): void {
  if (readPid(file) === null) return;
  const [, ...rest] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, [String(process.pid), ...rest].join('\n'));
}
