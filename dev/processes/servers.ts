import { type PostgresOptions, type RunningPostgres, startPostgres } from '../../local/postgres/server.js';
import { sendSignal } from '../../local/processes.js';
import { type RunningTemporal, startTemporal, type TemporalOptions } from '../../local/temporal/server.js';

/** A part of the installation that can crash and start again with its data. */
export interface Component {
  readonly name: string;
  /** Like a crash: SIGKILL. */
  kill(): Promise<void>;
  /** Stops it in order. */
  stop(): Promise<void>;
  /** Resolves when a server is ready, and when a process of the service runs. */
  start(): Promise<void>;
}

/** A server of `local/`, which would restart automatically: here the scenario decides when. */
abstract class Server<Running extends { readonly child: { readonly pid: number | undefined }; stop(): Promise<void> }>
  implements Component
{
  abstract readonly name: string;
  protected running: Running | null = null;
  protected abstract launch(): Promise<Running>;

  async start(): Promise<void> {
    this.running ??= await this.launch();
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.stop();
  }

  async stop(): Promise<void> {
    await this.running?.stop();
    this.running = null;
  }

  signal(name: NodeJS.Signals): void {
    const pid = this.running?.child.pid;
    if (pid !== undefined) sendSignal(pid, name);
  }
}

export class PostgresServer extends Server<RunningPostgres> {
  readonly name = 'Postgres';
  readonly #options: PostgresOptions;
  /** Known after the first start. The port stays the same. */
  #port: number | undefined;
  #server: RunningPostgres | null = null;

  constructor(options: PostgresOptions) {
    super();
    this.#options = options;
  }

  protected async launch(): Promise<RunningPostgres> {
    const server = await startPostgres({ ...this.#options, ...(this.#port === undefined ? {} : { port: this.#port }) });
    this.#port = server.port;
    this.#server = server;
    return server;
  }

  url(database: string): string {
    return this.#server?.url(database) ?? '';
  }

  async createDatabase(name: string): Promise<void> {
    await this.#server?.createDatabase(name);
  }

  async destroy(): Promise<void> {
    await this.#server?.destroy();
  }
}

export class TemporalServer extends Server<RunningTemporal> {
  readonly name = 'Temporal';
  readonly #options: TemporalOptions;
  address = '';

  constructor(options: TemporalOptions) {
    super();
    this.#options = options;
  }

  protected async launch(): Promise<RunningTemporal> {
    const server = await startTemporal(this.#options);
    this.address = server.address;
    return server;
  }
}
