import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../domain/search-attributes.js';
import type { Logger } from '../../platform/log.js';
import { StartError } from '../../platform/start-error.js';
import { freePort, isPortFree, rememberedPort } from '../ports.js';
import type { StopStep } from '../processes.js';
import { endOrphan, type SupervisedChild, supervise } from '../supervisor.js';
import { startWebProxy } from './web-proxy.js';

export interface TemporalOptions {
  /** Path of the `temporal` binary; `findTemporalCli` finds one. */
  readonly cli: string;
  /** The folder for all its data, created when missing. */
  readonly folder: string;
  /** Default: the port of the last start if it is free, else a free port. */
  readonly port?: number;
  /** The port of Temporal Web, which a proxy serves. 0 selects a free port. */
  readonly uiPort: number;
  /** Temporal Web also answers under the host of this address. */
  readonly publicUrl?: string | undefined;
  readonly namespaces: readonly string[];
  /** In addition to the values of the service: key=value, where the value is JSON. */
  readonly dynamicConfig?: readonly string[];
  readonly log: Logger;
  readonly signal?: AbortSignal | undefined;
}

export interface RunningTemporal {
  readonly address: string;
  readonly uiUrl: string;
  readonly child: SupervisedChild;
  stop(): Promise<void>;
}

const NAME = 'Temporal';
const HOST = '127.0.0.1';
const READY_LIMIT_MS = 120_000;
// SQLite's write-ahead log holds every acknowledged change, so SIGKILL loses nothing.
const STOP_STEPS: readonly StopStep[] = [
  ['SIGTERM', 20_000],
  ['SIGKILL', 10_000],
];

export async function startTemporal({
  cli,
  folder: givenFolder,
  namespaces,
  log,
  signal,
  ...options
}: TemporalOptions): Promise<RunningTemporal> {
  const folder = path.resolve(givenFolder);
  const databaseFile = path.join(folder, 'temporal.db');
  const completeFile = path.join(folder, 'complete');
  const pidFile = path.join(folder, 'temporal.pid');
  mkdirSync(folder, { recursive: true, mode: 0o700 });

  await endOrphan({ name: NAME, marker: databaseFile, stopSteps: STOP_STEPS, log }, pidFile);
  if (!existsSync(completeFile)) setAside(databaseFile, log);
  const uiPort = options.uiPort === 0 ? await freePort() : options.uiPort;
  if (!(await isPortFree(uiPort, HOST)))
    throw new StartError(`Another program uses port ${uiPort}, which Temporal Web needs. Set TEMPORAL_UI_PORT to a free port.`);
  const port = options.port ?? (await rememberedPort(path.join(folder, 'port')));
  const address = `${HOST}:${port}`;

  const upstreamPort = await freePort();
  const web = await startWebProxy({ host: HOST, port: uiPort, upstreamPort, publicUrl: options.publicUrl });
  const child = await supervise({
    name: NAME,
    command: cli,
    args: serverArguments({ databaseFile, port, uiPort: upstreamPort, namespaces, dynamicConfig: options.dynamicConfig ?? [] }),
    marker: databaseFile,
    pidFile,
    logFile: path.join(folder, 'temporal.log'),
    stopSteps: STOP_STEPS,
    probe: () => checkNamespaces(address, namespaces),
    readyTimeoutMs: READY_LIMIT_MS,
    log,
    signal,
  }).catch((error: unknown) => {
    web.close();
    throw error;
  });
  writeFileSync(completeFile, 'The server has been ready once, so temporal.db is complete.\n');
  const stop = async () => {
    web.close();
    await child.stop();
  };
  return { address, uiUrl: web.url, child, stop };
}

function serverArguments(at: {
  databaseFile: string;
  port: number;
  uiPort: number;
  namespaces: readonly string[];
  dynamicConfig: readonly string[];
}): string[] {
  const pragmas = ['journal_mode=wal', 'synchronous=normal'];
  const dynamicConfig = [
    'system.enableActivityEagerExecution=true',
    'matching.numTaskqueueReadPartitions=1',
    'matching.numTaskqueueWritePartitions=1',
    'matching.useNewMatcher=true',
    'matching.enableFairness=true',
    // The default of 20 polls a second delays each task by up to 50 ms.
    'history.transferProcessorMaxPollRPS=1000',
    // For every new task the server scans all tasks that it has not acknowledged, by default those of 30 seconds.
    'history.transferProcessorUpdateAckInterval="1s"',
    'history.visibilityProcessorUpdateAckInterval="1s"',
    // A dev server reads its search attributes from the database for every event. Ours exist from the first start.
    'system.forceSearchAttributesCacheRefreshOnRead=false',
    // The HTTP API listens on a random port. A page of another site must not reach it under an own name.
    `frontend.httpAllowedHosts=["${HOST}:*"]`,
    ...at.dynamicConfig,
  ];
  return [
    ...['server', 'start-dev', '--ip', HOST, '--port', String(at.port), '--ui-port', String(at.uiPort)],
    ...['--db-filename', at.databaseFile],
    ...at.namespaces.flatMap((namespace) => ['--namespace', namespace]),
    ...SEARCH_ATTRIBUTES.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
    ...pragmas.flatMap((pragma) => ['--sqlite-pragma', pragma]),
    ...dynamicConfig.flatMap((value) => ['--dynamic-config-value', value]),
    ...['--log-level', 'warn', '--log-format', 'json', '--color', 'never'],
  ];
}

/** The server creates its tables only in a new file, so a file of an interrupted first start never becomes complete. */
function setAside(databaseFile: string, log: Logger): void {
  if (!existsSync(databaseFile)) return;
  const aside = `${databaseFile}.unfinished`;
  log.warn({ aside }, 'The first start of Temporal was interrupted: starting again with a new file');
  for (const suffix of ['', '-wal', '-shm']) {
    rmSync(`${aside}${suffix}`, { force: true });
    if (existsSync(`${databaseFile}${suffix}`)) renameSync(`${databaseFile}${suffix}`, `${aside}${suffix}`);
  }
}

async function checkNamespaces(address: string, namespaces: readonly string[]): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: '2s' });
  try {
    await connection.withDeadline(Date.now() + 5_000, async () => {
      for (const namespace of namespaces) await connection.workflowService.describeNamespace({ namespace });
    });
  } finally {
    await connection.close();
  }
}
