import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { EMBEDDED_DATABASE } from '../cli/running-database.js';
import { databaseErrorCode, isDatabaseAway } from '../db/client.js';
import { ensureDashboard } from '../dev/build/dashboard.js';
import { ensureWorkflowBundle } from '../dev/build/workflow-bundle.js';
import { untilAborted } from '../platform/abort.js';
import type { Logger } from '../platform/log.js';
import type { Settings } from '../platform/settings.js';
import { StartError } from '../platform/start-error.js';
import { openDataFolder } from './data-folder.js';
import { isPortFree } from './ports.js';
import { startPostgres } from './postgres/server.js';
import { secretIn } from './secrets.js';
import { findTemporalCli } from './temporal/cli.js';
import { startTemporal } from './temporal/server.js';

/** The embedded Temporal server listens only on this machine and needs no credentials. */
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
  /** An abort during the start stops every part that has started. */
  readonly signal: AbortSignal;
  /** Receives a new admin API key, which cannot be shown later, even when a later step of the start fails. */
  readonly onAdminKey: (key: string) => void;
  /** Also prints a link for a second person, so that one visitor can try two approvals. */
  readonly isDemo?: boolean;
}

export interface RunningService {
  readonly apiUrl: string;
  /** Null when TEMPORAL_ADDRESS names a server. */
  readonly temporalWebUrl: string | null;
  readonly dataFolder: string;
  /** For the first admin user; null once there is a user. */
  readonly setUpLink: string | null;
  readonly secondPersonLink: string | null;
  readonly vouchCommand: string | null;
  stop(): Promise<void>;
}

interface Part {
  readonly name: string;
  stop(): Promise<void>;
}

/** The parts stop in this order. */
const STOP_ORDER = ['API', 'worker', 'Temporal', 'Postgres'] as const;

/** Starts everything on this machine: independent parts at the same time, each other part after those it needs. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const folder = await openDataFolder(options.settings.DATA_DIR);
  const parts: Part[] = [];
  const stop = async () => {
    await stopInOrder(parts, options.log);
    folder.release();
  };
  try {
    return { ...(await startParts(options, folder.path, parts)), dataFolder: folder.path, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(
  { settings: given, log, signal: stopSignal, onAdminKey, isDemo = false }: ServiceOptions,
  folder: string,
  parts: Part[],
): Promise<Omit<RunningService, 'dataFolder' | 'stop'>> {
  const failure = new AbortController();
  const signal = AbortSignal.any([stopSignal, failure.signal]);
  const startPart = async <T>(
    name: (typeof STOP_ORDER)[number],
    start: () => Promise<T>,
    stop: (started: T) => Promise<void>,
  ): Promise<T> => {
    if (signal.aborted) throw interrupted();
    const startedAt = Date.now();
    const started = await start();
    parts.push({ name, stop: () => stop(started) });
    log.info({ elapsedMs: Date.now() - startedAt }, `${name}: ready`);
    return started;
  };

  await requireFreePort(given.PORT, given.HOST);
  const settings = withMasterKey(given, folder);

  const startDatabase = async () => {
    let url = settings.DATABASE_URL;
    if (url === undefined) {
      const postgres = await startPart(
        'Postgres',
        () => startPostgres({ folder: path.join(folder, 'postgres'), log, signal }),
        (server) => server.stop(),
      );
      await postgres.createDatabase(EMBEDDED_DATABASE);
      url = postgres.url(EMBEDDED_DATABASE);
    }
    const { migrate } = await import('../db/migrate.js');
    await migrate(url).catch(explainIfUnreachable);
    return { DATABASE_URL: url };
  };
  const startTemporalServer = async () => {
    if (settings.TEMPORAL_ADDRESS !== undefined) return { uiUrl: null, settings: {} };
    const cli = await findTemporalCli({ given: settings.TEMPORAL_CLI, log, signal });
    const { address, uiUrl } = await startPart(
      'Temporal',
      () =>
        startTemporal({
          cli,
          folder: path.join(folder, 'temporal'),
          uiPort: settings.TEMPORAL_UI_PORT,
          publicUrl: settings.PUBLIC_URL,
          namespaces: [settings.TEMPORAL_NAMESPACE],
          log,
          signal,
        }),
      (server) => server.stop(),
    );
    const TEMPORAL_WEB_URL = settings.TEMPORAL_WEB_URL ?? uiUrl;
    return { uiUrl, settings: { ...NO_CREDENTIALS, TEMPORAL_ADDRESS: address, TEMPORAL_WEB_URL } };
  };

  const [database, temporal, bundlePath, dashboardFolder, modules] = await allOrFirstFailure(failure, [
    startDatabase(),
    startTemporalServer(),
    ensureWorkflowBundle(() => log.info('Bundling the workflows (only after a change)'), signal),
    ensureDashboard(() => log.info('Building the dashboard (only after a change)'), signal),
    loadModules(),
  ]);
  const complete = { ...settings, ...database, ...temporal.settings };

  // After every part that can fail on its own, so that a failed start does not create a key without showing it.
  const { createdAdminKey } = await modules.bootstrap(complete.DATABASE_URL, {
    adminApiKey: settings.ADMIN_API_KEY,
    connectorKinds: modules.connectorKinds,
  });
  if (createdAdminKey !== null) onAdminKey(createdAdminKey);
  const metrics = modules.createMetrics();
  const workflows = { bundlePath, declarations: modules.declaredPlaybooks() };
  const worker = await startPart(
    'worker',
    () => unlessAborted(signal, modules.startWorker({ settings: complete, log, metrics, workflows })),
    (running) => running.stop(),
  );
  const api = await startPart(
    'API',
    () => unlessAborted(signal, modules.startApi({ settings: complete, log, metrics, dashboardFolder, worker })),
    (server) => server.close(),
  );
  const { path: setUpPath, secondPath, vouchCommand } = await modules.prepareSetUp(complete.DATABASE_URL, { isDemo, showsLinks: true });
  const toLink = (page: string | null) => (page === null ? null : `${api.url}${page}`);
  return {
    apiUrl: api.url,
    temporalWebUrl: temporal.uiUrl,
    setUpLink: toLink(setUpPath),
    secondPersonLink: toLink(secondPath),
    vouchCommand,
  };
}

/** Loads most of the code while the servers start. */
async function loadModules() {
  const [
    { bootstrap },
    { prepareSetUp },
    { createMetrics },
    { startApi },
    { declaredPlaybooks, startWorker },
    { catalogue },
    { listKinds },
  ] = await Promise.all([
    import('../services/installation/bootstrap.js'),
    import('../services/installation/prepare-set-up.js'),
    import('../platform/metrics.js'),
    import('../api/server.js'),
    import('../worker/worker.js'),
    import('../connectors/catalogue.js'),
    import('../connectors/kit/define.js'),
  ]);
  return { bootstrap, prepareSetUp, createMetrics, startApi, declaredPlaybooks, startWorker, connectorKinds: listKinds(catalogue) };
}

/** Waits for all. When one fails, the failure stops the others, so that none is still starting when this throws. */
async function allOrFirstFailure<Parts extends readonly unknown[]>(
  failure: AbortController,
  started: readonly [...{ [Index in keyof Parts]: Promise<Parts[Index]> }],
): Promise<Parts> {
  const errors: unknown[] = [];
  const settled = started.map((part) =>
    part.catch((error: unknown) => {
      errors.push(error);
      failure.abort();
    }),
  );
  await Promise.all(settled);
  if (errors.length > 0) throw errors[0];
  return await Promise.all(started);
}

function withMasterKey(settings: Settings, folder: string): Settings {
  if (settings.MASTER_KEY !== undefined || settings.MASTER_KEY_FILE !== undefined) return settings;
  const file = path.join(folder, 'master-key');
  secretIn(file, () => randomBytes(32).toString('base64'));
  return { ...settings, MASTER_KEY_FILE: file };
}

/** A worker waits for Temporal without a limit. Ctrl-C ends that wait. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return untilAborted(work, signal, interrupted);
}

const interrupted = () => new StartError('Stopped before the start was complete.');

function explainIfUnreachable(cause: unknown): never {
  if (!isDatabaseAway(cause)) throw cause;
  throw new StartError(
    `The database does not answer (${databaseErrorCode(cause)}). Check DATABASE_URL, or unset it to use the embedded Postgres.`,
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
  if (!free) throw new StartError(`Another program uses port ${port}, which the API needs. Set PORT to a free port.`);
}

async function stopInOrder(parts: readonly Part[], log: Logger): Promise<void> {
  for (const name of STOP_ORDER) {
    const part = parts.find((each) => each.name === name);
    if (part === undefined) continue;
    const startedAt = Date.now();
    log.info(`${name}: stopping`);
    try {
      await part.stop();
      log.info({ elapsedMs: Date.now() - startedAt }, `${name}: stopped`);
    } catch (error) {
      log.error({ err: error }, `${name}: did not stop cleanly`);
    }
  }
}
