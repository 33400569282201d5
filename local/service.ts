import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { builtDashboard } from '../api/http/dashboard.js';
import { startApi } from '../api/server.js';
import { EMBEDDED_DATABASE } from '../cli/running-database.js';
import { bootstrap } from '../db/bootstrap.js';
import { databaseErrorCode, isDatabaseAway } from '../db/client.js';
import { migrate } from '../db/migrate.js';
import { untilAborted } from '../platform/abort.js';
import type { Logger } from '../platform/log.js';
import { createMetrics } from '../platform/metrics.js';
import type { Settings } from '../platform/settings.js';
import { StartError } from '../platform/start-error.js';
import { startWorker } from '../worker/worker.js';
import { openDataFolder } from './data-folder.js';
import { isPortFree } from './ports.js';
import { startPostgres } from './postgres/server.js';
import { secretIn } from './secrets.js';
import { findTemporalCli } from './temporal/cli.js';
import { startTemporal } from './temporal/server.js';

/** The embedded Temporal listens on this machine only, and asks for none of these. */
const NO_CREDENTIALS = {
  TEMPORAL_TLS: false,
  TEMPORAL_TLS_CA_FILE: undefined,
  TEMPORAL_TLS_CERT_FILE: undefined,
  TEMPORAL_TLS_KEY_FILE: undefined,
  TEMPORAL_API_KEY: undefined,
};

export interface ServiceOptions {
  readonly settings: Settings;
  readonly log: Logger;
  /** Aborted while starting: what has started is stopped again. */
  readonly signal: AbortSignal;
  /** Called with the admin's key the one time there is one to show, even if a later step fails. */
  readonly onAdminKey: (key: string) => void;
}

export interface RunningService {
  readonly apiUrl: string;
  /** Null when the Temporal server is not ours. */
  readonly temporalWebUrl: string | null;
  readonly dataFolder: string;
  stop(): Promise<void>;
}

type Stop = readonly [name: string, stop: () => Promise<void>];

/** Everything on one machine, each part started after those it needs and stopped before them. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const folder = await openDataFolder(options.settings.DATA_DIR);
  const stops: Stop[] = [];
  const stop = async () => {
    await stopInOrder(stops, options.log);
    folder.release();
  };
  try {
    return { ...(await startParts(options, folder.path, stops)), dataFolder: folder.path, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(
  { settings: given, log, signal, onAdminKey }: ServiceOptions,
  folder: string,
  stops: Stop[],
): Promise<Pick<RunningService, 'apiUrl' | 'temporalWebUrl'>> {
  const began = async <T>(name: string, start: () => Promise<T>, stop: (started: T) => Promise<void>): Promise<T> => {
    if (signal.aborted) throw interrupted();
    const startedAt = Date.now();
    const started = await start();
    stops.push([name, () => stop(started)]);
    log.info({ elapsedMs: Date.now() - startedAt }, `${name}: ready`);
    return started;
  };

  await requireFreePort(given.PORT, given.HOST);
  let settings = given;
  if (given.MASTER_KEY === undefined && given.MASTER_KEY_FILE === undefined) {
    const file = path.join(folder, 'master-key');
    secretIn(file, () => randomBytes(32).toString('base64'));
    settings = { ...given, MASTER_KEY_FILE: file };
  }
  const cli = settings.TEMPORAL_ADDRESS === undefined ? await findTemporalCli({ given: settings.TEMPORAL_CLI, log, signal }) : null;

  if (settings.DATABASE_URL === undefined) {
    const postgres = await began(
      'Postgres',
      () => startPostgres({ folder: path.join(folder, 'postgres'), log, signal }),
      (server) => server.stop(),
    );
    await postgres.createDatabase(EMBEDDED_DATABASE);
    settings = { ...settings, DATABASE_URL: postgres.url(EMBEDDED_DATABASE) };
  }
  const databaseUrl = settings.DATABASE_URL ?? '';
  await migrate(databaseUrl).catch(explainIfUnreachable);

  let temporalWebUrl: string | null = null;
  if (cli !== null) {
    const temporal = await began(
      'Temporal',
      () =>
        startTemporal({
          cli,
          folder: path.join(folder, 'temporal'),
          uiPort: settings.TEMPORAL_UI_PORT,
          namespaces: [settings.TEMPORAL_NAMESPACE],
          log,
          signal,
        }),
      (server) => server.stop(),
    );
    temporalWebUrl = temporal.uiUrl;
    settings = {
      ...settings,
      ...NO_CREDENTIALS,
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_WEB_URL: settings.TEMPORAL_WEB_URL ?? temporal.uiUrl,
    };
  }

  // Last before the parts that cannot wait for it: a start that fails earlier has not made a key nobody saw.
  const { createdAdminKey } = await bootstrap(databaseUrl, { adminApiKey: settings.ADMIN_API_KEY });
  if (createdAdminKey !== null) onAdminKey(createdAdminKey);
  const metrics = createMetrics();
  const worker = await began(
    'worker',
    () => unlessAborted(signal, startWorker({ settings, log, metrics })),
    (running) => running.stop(),
  );
  const api = await began(
    'API',
    () => unlessAborted(signal, startApi({ settings, log, metrics, dashboardFolder: builtDashboard(), worker })),
    (server) => server.close(),
  );
  return { apiUrl: api.url, temporalWebUrl };
}

/** A worker waits as long as it takes for a Temporal server that is away; someone who interrupts does not. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return untilAborted(work, signal, interrupted);
}

const interrupted = () => new StartError('Stopped before everything had started.');

function explainIfUnreachable(cause: unknown): never {
  if (!isDatabaseAway(cause)) throw cause;
  throw new StartError(
    `The database does not answer (${databaseErrorCode(cause)}). If DATABASE_URL is set, check it; unset, a Postgres is started here.`,
    { cause },
  );
}

async function requireFreePort(port: number, host: string): Promise<void> {
  if (port === 0) return;
  const free = await isPortFree(port, host).catch((cause: unknown) => {
    throw new StartError(`The API cannot listen on ${host}:${port} (${String(cause)}). Set HOST and PORT to an address of this machine.`, {
      cause,
    });
  });
  if (!free) throw new StartError(`Port ${port} for the API is taken by another program. Set PORT to a free one.`);
}

async function stopInOrder(stops: Stop[], log: Logger): Promise<void> {
  for (let next = stops.pop(); next !== undefined; next = stops.pop()) {
    const [name, stop] = next;
    const startedAt = Date.now();
    log.info(`${name}: stopping`);
    try {
      await stop();
      log.info({ elapsedMs: Date.now() - startedAt }, `${name}: stopped`);
    } catch (error) {
      log.error({ err: error }, `${name}: did not stop cleanly`);
    }
  }
}
