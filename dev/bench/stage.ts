import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { catalogue } from '../../connectors/catalogue.js';
import { listKinds } from '../../connectors/kit/define.js';
import { migrate } from '../../db/migrate.js';
import { type RunningPostgres, startPostgres } from '../../local/postgres/server.js';
import { findTemporalCli } from '../../local/temporal/cli.js';
import { type RunningTemporal, startTemporal } from '../../local/temporal/server.js';
import { createLogger, type Logger } from '../../platform/log.js';
import { bootstrap } from '../../services/installation/bootstrap.js';
import { bundleWorkflows } from '../../worker/workflow-bundle.js';
import { type Child, startChild } from '../processes/child.js';
import { Started } from '../processes/managed-process.js';

export interface BenchDatabase {
  readonly url: string;
  readonly adminKey: string;
}

/** The servers and processes of the benchmark. Each starts on its first use, and all stop together. */
export class Stage {
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly log: Logger = createLogger('warn', 'bench');
  readonly #children = new Started();
  #postgres: Promise<RunningPostgres> | null = null;
  #temporal: Promise<RunningTemporal> | null = null;
  #bundle: Promise<string> | null = null;

  static async open(signal: AbortSignal): Promise<Stage> {
    return new Stage(await mkdtemp(path.join(tmpdir(), 'alert-investigator-bench-')), signal);
  }

  private constructor(folder: string, signal: AbortSignal) {
    this.folder = folder;
    this.signal = signal;
  }

  postgres(): Promise<RunningPostgres> {
    this.#postgres ??= startPostgres({ folder: path.join(this.folder, 'postgres'), log: this.log, signal: this.signal });
    return this.#postgres;
  }

  temporal(): Promise<RunningTemporal> {
    const start = async () => {
      const cli = await findTemporalCli({ given: process.env['TEMPORAL_CLI'], log: this.log, signal: this.signal });
      const folder = path.join(this.folder, 'temporal');
      return startTemporal({ cli, folder, uiPort: 0, namespaces: ['default'], log: this.log, signal: this.signal });
    };
    this.#temporal ??= start();
    return this.#temporal;
  }

  /** Creates a database with the migrations and the bootstrap of the product. */
  async database(name: string): Promise<BenchDatabase> {
    const postgres = await this.postgres();
    await postgres.createDatabase(name);
    const url = postgres.url(name);
    await migrate(url);
    const { createdAdminKey } = await bootstrap(url, { connectorKinds: listKinds(catalogue) });
    if (createdAdminKey === null) throw new Error(`the database ${name} exists already`);
    return { url, adminKey: createdAdminKey };
  }

  /** The workflows of the product and of the benchmark in one bundle. */
  workflowBundle(): Promise<string> {
    const make = async () => {
      const code = await bundleWorkflows(fileURLToPath(new URL('./workflows.ts', import.meta.url)), { logger: quietLogger });
      const file = path.join(this.folder, 'workflow-bundle.js');
      await writeFile(file, code);
      return file;
    };
    this.#bundle ??= make();
    return this.#bundle;
  }

  async child(script: URL, input: unknown): Promise<Child> {
    this.signal.throwIfAborted();
    const child = await startChild(script, input);
    this.#children.add(child.stop);
    return child;
  }

  async endChildren(): Promise<void> {
    await this.#children.stop();
  }

  async close(): Promise<void> {
    await this.endChildren();
    await Promise.allSettled([this.#postgres?.then((server) => server.destroy()), this.#temporal?.then((server) => server.stop())]);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

const quiet = () => undefined;
const quietLogger = { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: console.warn, error: console.error };

/** To stderr, because stdout is only for the result. */
export function progress(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}
