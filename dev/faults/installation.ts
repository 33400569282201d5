import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { EndpointDetectionStandInState } from '../../connectors/endpoint-detection/stand-in.js';
import { type Authority, createAuthority, type StandIn } from '../../connectors/kit/stand-in/stand-in.js';
import { startThirdParties, type ThirdParties } from '../../connectors/stand-ins.js';
import { connectDatabase, type Database, type PgClient } from '../../db/client.js';
import type { Logger } from '../../platform/log.js';
import { differentFreePorts } from '../processes/free-ports.js';
import { Started } from '../processes/managed-process.js';
import { type Component, PostgresServer, TemporalServer } from '../processes/servers.js';
import { type Environment, type ServiceProcess, startServiceProcess } from '../processes/service-process.js';

export interface InstallationOptions {
  readonly folder: string;
  /** Default: in the folder. */
  readonly postgresFolder?: string;
  readonly postgresSettings?: Readonly<Record<string, string>>;
  readonly temporalCli: string;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** How to start a process of the service in another way than usual. */
export interface ProcessChanges {
  readonly cli?: string;
  readonly nodeArguments?: readonly string[];
}

const DATABASE = 'investigator';
const ORGANIZATION = 'DEMO';
const REQUEST_LIMIT_MS = 60_000;
const Created = z.object({ connection_id: z.string() });

export interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly body: unknown;
}

/** A whole installation on this machine: Postgres, Temporal, an API, a worker, and a stand-in for each third party. */
export class Installation {
  readonly folder: string;
  readonly adminKey = randomBytes(24).toString('hex');
  readonly organization = ORGANIZATION;
  readonly authority: Authority;
  readonly thirdParties: ThirdParties;
  readonly postgres: PostgresServer;
  readonly temporal: TemporalServer;
  readonly api: ServiceComponent;
  readonly worker: ServiceComponent;
  readonly signal: AbortSignal;
  /** The stand-ins whose writes are counted. */
  readonly endpoints: StandIn<EndpointDetectionStandInState>[];
  readonly #started = new Started();
  #database: Database | null = null;
  #endpointConnectionId = '';

  static async start(options: InstallationOptions): Promise<Installation> {
    mkdirSync(options.folder, { recursive: true });
    const authority = await createAuthority();
    const thirdParties = await startThirdParties({ authority });
    const [apiPort = 0, workerPort = 0] = await differentFreePorts(2);
    const installation = new Installation(options, { authority, thirdParties, apiPort, workerPort });
    try {
      await installation.#open();
    } catch (error) {
      await installation.close();
      throw error;
    }
    return installation;
  }

  private constructor(
    { folder, signal, log, ...options }: InstallationOptions,
    given: { authority: Authority; thirdParties: ThirdParties; apiPort: number; workerPort: number },
  ) {
    this.folder = folder;
    this.signal = signal;
    this.authority = given.authority;
    this.thirdParties = given.thirdParties;
    this.endpoints = [given.thirdParties.standIns.endpointDetection];
    const postgresFolder = options.postgresFolder ?? path.join(folder, 'postgres');
    this.postgres = new PostgresServer({ folder: postgresFolder, settings: options.postgresSettings ?? {}, log, signal });
    const temporalFolder = path.join(folder, 'temporal');
    this.temporal = new TemporalServer({
      cli: options.temporalCli,
      folder: temporalFolder,
      uiPort: 0,
      namespaces: ['default'],
      log,
      signal,
    });
    this.api = new ServiceComponent(this, 'API', 'api', given.apiPort);
    this.worker = new ServiceComponent(this, 'worker', 'worker', given.workerPort);
  }

  get components(): readonly Component[] {
    return [this.postgres, this.temporal, this.api, this.worker];
  }

  get apiUrl(): string {
    return `http://127.0.0.1:${this.api.port}`;
  }

  /** The connection of the load's writes. */
  get endpointConnectionId(): string {
    return this.#endpointConnectionId;
  }

  get database(): Database {
    this.#database ??= connectDatabase(this.postgres.url(DATABASE), { poolSize: 2, name: 'faults' });
    return this.#database;
  }

  get pg(): PgClient {
    return this.database.pg;
  }

  get env(): Environment {
    return {
      DATABASE_URL: this.postgres.url(DATABASE),
      TEMPORAL_ADDRESS: this.temporal.address,
      MASTER_KEY_FILE: path.join(this.folder, 'master-key'),
      ADMIN_API_KEY: this.adminKey,
      PORT: String(this.api.port),
      WORKER_PORT: String(this.worker.port),
      ...this.egress,
    };
  }

  /** Only stand-ins on this machine. */
  get egress(): Environment {
    return { EGRESS_ALLOW: '127.0.0.0/8,::1/128', EGRESS_CA_FILE: path.join(this.folder, 'ca.pem') };
  }

  async #open(): Promise<void> {
    writeFileSync(path.join(this.folder, 'ca.pem'), this.authority.caPem);
    writeFileSync(path.join(this.folder, 'master-key'), `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
    await Promise.all([this.postgres.start(), this.temporal.start()]);
    await this.postgres.createDatabase(DATABASE);
    // The API migrates the empty database.
    await this.api.start();
    await this.api.untilReady();
    await this.worker.start();
    await this.untilReady();
    for (const fields of Object.values(this.thirdParties.connections)) {
      const id = await this.connect({ instance_name: `The ${fields.connector}`, ...fields });
      if (fields.connector === this.thirdParties.connections.endpointDetection.connector) this.#endpointConnectionId = id;
    }
    // The load writes more than the default of 30 an hour.
    await this.pg`
      insert into response_rules (organization_uuid, writes_per_hour)
      select organization_uuid, 10000 from organizations on conflict (organization_uuid) do update set writes_per_hour = 10000`;
    for (const { state } of this.endpoints) state.actionSeconds = 0;
  }

  /** Resolves when the API and the worker are ready. Rejects when one has ended. */
  async untilReady(): Promise<void> {
    await Promise.all([this.api.untilReady(), this.worker.untilReady()]);
  }

  async connect(connection: { readonly instance_name: string; readonly connector: string } & Record<string, unknown>): Promise<string> {
    const reply = await this.request('POST', '/platformapi/connections', {
      organization_code: ORGANIZATION,
      // One person requests the writes of the load.
      needs_second_person: false,
      ...connection,
    });
    return Created.parse(reply.body).connection_id;
  }

  async request(method: 'GET' | 'POST' | 'PATCH', place: string, body?: unknown, limitMs = REQUEST_LIMIT_MS): Promise<Reply> {
    const reply = await fetch(`${this.apiUrl}${place}`, {
      method,
      headers: { cookie: `Session=${this.adminKey}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([this.signal, AbortSignal.timeout(limitMs)]),
    });
    const text = await reply.text();
    return { status: reply.status, contentType: reply.headers.get('content-type') ?? '', body: text === '' ? null : JSON.parse(text) };
  }

  onClose(stop: () => Promise<void>): void {
    this.#started.add(stop);
  }

  async close(): Promise<void> {
    await this.#started.stop();
    await Promise.all([this.api.stop(), this.worker.stop()]);
    await this.#database?.close();
    await Promise.all([this.temporal.stop(), this.postgres.destroy(), this.thirdParties.stop()]);
  }

  endsOfLogs(): string {
    return [this.api, this.worker].map(({ name, endOfLog }) => `the end of the log of the ${name}:\n${endOfLog()}`).join('\n');
  }
}

/** The API or the worker, as the compiled code in its own process. */
export class ServiceComponent implements Component {
  readonly name: string;
  readonly port: number;
  readonly #installation: Installation;
  readonly #command: 'api' | 'worker';
  #process: ServiceProcess | null = null;
  #changes: ProcessChanges = {};

  constructor(installation: Installation, name: string, command: 'api' | 'worker', port: number) {
    this.name = name;
    this.port = port;
    this.#installation = installation;
    this.#command = command;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Affects the next start. */
  change(changes: ProcessChanges): void {
    this.#changes = changes;
  }

  async start(): Promise<void> {
    const { env, folder } = this.#installation;
    this.#process = startServiceProcess({ name: this.name, command: this.#command, port: this.port, env, folder, ...this.#changes });
  }

  async untilReady(): Promise<void> {
    await this.#process?.untilReady(this.#installation.signal);
  }

  async kill(): Promise<void> {
    await this.#process?.kill();
  }

  async stop(): Promise<void> {
    await this.#process?.stop();
  }

  endOfLog = (): string => this.#process?.endOfLog() ?? '';
}
