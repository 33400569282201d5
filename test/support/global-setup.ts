import { readdirSync, rmSync, statSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import connect from 'postgres';
import type {} from 'vitest';
import type { TestProject } from 'vitest/node';
import { catalogue } from '../../connectors/catalogue.js';
import { listKinds } from '../../connectors/kit/define.js';
import { migrate } from '../../db/migrate.js';
import { removePostgres } from '../../local/postgres/cluster.js';
import { type RunningPostgres, startPostgres } from '../../local/postgres/server.js';
import { sendSignal } from '../../local/processes.js';
import { readPid } from '../../local/supervisor.js';
import { findTemporalCli } from '../../local/temporal/cli.js';
import { startTemporal } from '../../local/temporal/server.js';
import { createLogger } from '../../platform/log.js';
import { bootstrap } from '../../services/installation/bootstrap.js';
import { bundleWorkflows } from '../../worker/workflow-bundle.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The superuser's URL of the database `postgres`. */
    postgresUrl: string;
    /** Names of template databases: with the current schema only, and with the rows of a first start. */
    templates: { readonly migrated: string; readonly bootstrapped: string };
    /** The admin key of every database that is copied from the second template. */
    adminKey: string;
    temporalAddress: string;
    /** The `codePath` of a worker's `workflowBundle`. */
    workflowBundlePath: string;
  }
}

const TEMPLATES = { migrated: 'template_migrated', bootstrapped: 'template_bootstrapped' };
/** The cluster serves the services of all forks in one run of the tests, so nothing in it has to survive a crash or to be vacuumed. */
const POSTGRES_SETTINGS = {
  ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '4GB', max_connections: '500' },
  ...{ autovacuum: 'off', jit: 'off' },
};
/** Tests see a build drained within seconds instead of the server's default of three minutes. */
const DRAINED_SOON = ['VisibilityGracePeriod', 'RefreshInterval'].map((name) => `matching.wv.VersionDrainageStatus${name}="1s"`);
const WORKFLOWS = fileURLToPath(new URL('./workflows.ts', import.meta.url));
const BUNDLED = ['../../workflows', '../../domain', '../../connectors', '.'].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const log = createLogger('info', 'test', { pretty: process.stdout.isTTY });
  const folder = await mkdtemp(path.join(tmpdir(), 'alert-investigator-test-'));
  const started: Array<{ stop(): Promise<void> }> = [];
  const removeFolder = () => {
    removePostgres(path.join(folder, 'postgres'));
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };

  // On a signal vitest exits without teardown, so the exit handler ends the servers.
  const leave = () => {
    for (const pidFile of ['postgres/postgres.pid', 'temporal/temporal.pid']) {
      const pid = readPid(path.join(folder, pidFile));
      if (pid !== null) sendSignal(pid, 'SIGQUIT');
    }
    removeFolder();
  };
  process.once('exit', leave);
  const teardown = async () => {
    await Promise.all(started.map((server) => server.stop()));
    removeFolder();
    process.off('exit', leave);
  };

  const postgres = async () => {
    const server = await startPostgres({ folder: path.join(folder, 'postgres'), settings: POSTGRES_SETTINGS, log });
    started.push(server);
    project.provide('templates', TEMPLATES);
    project.provide('adminKey', await createTemplates(server));
    project.provide('postgresUrl', server.url('postgres'));
  };
  const temporal = async () => {
    const cli = await findTemporalCli({ given: process.env['TEMPORAL_CLI'], log });
    const server = await startTemporal({
      cli,
      folder: path.join(folder, 'temporal'),
      uiPort: 0,
      namespaces: ['default'],
      dynamicConfig: DRAINED_SOON,
      log,
    });
    started.push(server);
    project.provide('temporalAddress', server.address);
  };
  const bundle = async () => {
    const bundlePath = path.join(folder, 'workflow-bundle.js');
    await writeBundle(bundlePath);
    let bundledAt = Date.now();
    project.onTestsRerun(async () => {
      if (!hasChangedSince(bundledAt)) return;
      bundledAt = Date.now();
      await writeBundle(bundlePath);
    });
    project.provide('workflowBundlePath', bundlePath);
  };

  const results = await Promise.allSettled([postgres(), temporal(), bundle()]);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) {
    await teardown();
    throw failed.reason;
  }
  return teardown;
}

/** In watch mode: whether a file that the workflow bundle may contain was written since. */
function hasChangedSince(time: number): boolean {
  const files = BUNDLED.flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  return files.some((entry) => statSync(path.join(entry.parentPath, entry.name)).mtimeMs > time);
}

/** Copying a database takes a tenth of the time of its migrations. Returns the admin key of the second template. */
async function createTemplates(server: RunningPostgres): Promise<string> {
  await server.createDatabase(TEMPLATES.migrated);
  await migrate(server.url(TEMPLATES.migrated));
  const admin = connect(server.url('postgres'), { max: 1 });
  // Tests open thousands of connections, and each one hashes the password as often as its role says: 4096 times by default.
  await admin`set scram_iterations = 1`;
  await admin.unsafe(`alter role postgres password '${new URL(server.url('postgres')).password}'`);
  await admin`create database ${admin(TEMPLATES.bootstrapped)} template ${admin(TEMPLATES.migrated)}`;
  await admin.end();
  const { createdAdminKey } = await bootstrap(server.url(TEMPLATES.bootstrapped), { connectorKinds: listKinds(catalogue) });
  if (createdAdminKey === null) throw new Error('bootstrap created no admin key in a new database');
  return createdAdminKey;
}

async function writeBundle(target: string): Promise<void> {
  const quiet = () => undefined;
  const logger = { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: console.warn, error: console.error };
  await writeFile(target, await bundleWorkflows(WORKFLOWS, { logger }));
}
