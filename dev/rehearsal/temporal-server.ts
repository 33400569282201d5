import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Connection } from '@temporalio/client';
import type { RunningPostgres } from '../../local/postgres/server.js';
import { run, type StopStep } from '../../local/processes.js';
import { type SupervisedChild, supervise } from '../../local/supervisor.js';
import type { Logger } from '../../platform/log.js';
import { differentFreePorts } from '../processes/free-ports.js';
import type { ServerBinaries } from './server-binaries.js';
import { dynamicConfig, PORTS_NEEDED, serverConfig } from './server-config.js';

export interface TemporalServerOptions {
  readonly binaries: ServerBinaries;
  readonly postgres: RunningPostgres;
  readonly folder: string;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export interface TemporalServer {
  readonly address: string;
  readonly child: SupervisedChild;
}

const DATABASES = { store: 'temporal', visibility: 'temporal_visibility' };
const SCHEMA_LIMIT_MS = 120_000;
const READY_LIMIT_MS = 120_000;
const STOP_STEPS: readonly StopStep[] = [
  ['SIGTERM', 30_000],
  ['SIGKILL', 10_000],
];

/** Follows docker-compose.yml: creates the databases and their schemas, then starts the server. */
export async function startTemporalServer({ binaries, postgres, folder, log, signal }: TemporalServerOptions): Promise<TemporalServer> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const database = new URL(postgres.url('postgres'));
  const { username: databaseUser, password: databasePassword } = database;
  const sqlTool = (...args: string[]) => {
    const env = {
      SQL_PLUGIN: 'postgres12',
      SQL_HOST: database.hostname,
      SQL_PORT: database.port,
      SQL_USER: databaseUser,
      SQL_PASSWORD: databasePassword,
    };
    return run(binaries.sqlTool, args, { env, timeoutMs: SCHEMA_LIMIT_MS, signal });
  };
  for (const [name, schema] of [
    [DATABASES.store, 'temporal'],
    [DATABASES.visibility, 'visibility'],
  ] as const) {
    await sqlTool('--db', name, 'create');
    await sqlTool('--db', name, 'setup-schema', '-v', '0.0');
    await sqlTool('--db', name, 'update-schema', '--schema-name', `postgresql/v12/${schema}`);
  }

  const dynamicConfigFile = path.join(folder, 'dynamic-config.yaml');
  const configFile = path.join(folder, 'server.yaml');
  const ports = await differentFreePorts(PORTS_NEEDED);
  const config = serverConfig({
    databasePort: postgres.port,
    databaseUser,
    databasePassword,
    databases: DATABASES,
    ports,
    dynamicConfigFile,
  });
  writeFileSync(dynamicConfigFile, dynamicConfig());
  writeFileSync(configFile, config.text, { mode: 0o600 });
  const child = await supervise({
    name: 'Temporal server',
    command: binaries.server,
    args: ['--config-file', configFile, '--allow-no-auth', 'start'],
    marker: configFile,
    pidFile: path.join(folder, 'server.pid'),
    logFile: path.join(folder, 'server.log'),
    stopSteps: STOP_STEPS,
    probe: () => checkReady(config.address),
    readyTimeoutMs: READY_LIMIT_MS,
    log,
    signal,
  });
  return { address: config.address, child };
}

/** The system namespace is available when the server can read its database. */
async function checkReady(address: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: '2s' });
  try {
    await connection.withDeadline(Date.now() + 5_000, () => connection.workflowService.describeNamespace({ namespace: 'temporal-system' }));
  } finally {
    await connection.close();
  }
}
