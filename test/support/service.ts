import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { inject } from 'vitest';
import type { SkillSet } from '../../activities/skills/perform-skill.js';
import { type RunningApi, startApi } from '../../api/server.js';
import { connectDatabase, type Database } from '../../db/client.js';
import { saveMembership } from '../../db/identity/memberships.js';
import { findOrganization } from '../../db/identity/organizations.js';
import type { AlertListItem } from '../../domain/alert/alert.js';
import type { CaseDetail } from '../../domain/case/case.js';
import type { Principal, Role } from '../../domain/identity/identity.js';
import type { DeliveryBackoff } from '../../domain/notification/delivery.js';
import { Keyring } from '../../platform/keyring.js';
import { createLogger, type Logger } from '../../platform/log.js';
import { readSettings, type Settings } from '../../platform/settings.js';
import { createDataConverter, prepareNamespace } from '../../platform/temporal.js';
import type { CreateAlert } from '../../services/alerts/wire.js';
import { createApiKey } from '../../services/api-keys/create.js';
import { asService, inTransaction } from '../../services/context.js';
import { addUser } from '../../services/users/add-user.js';
import { WorkflowRunner } from '../../services/workflow-runner.js';
import type { PinnedBuildTimings } from '../../worker/pinned-builds.js';
import { declaredPlaybooks, type RunningWorker, startWorker } from '../../worker/worker.js';
import { createDatabase } from './databases.js';
import { sharedExtractor } from './entity-extractor.js';
import { findPages } from './pages.js';
import { replayHistories } from './replay.js';
import { storeConnection } from './stored-connection.js';
import { waitFor } from './wait-for.js';
import * as workflows from './workflows.js';

const silent = createLogger(process.env['TEST_LOG_LEVEL'] ?? 'silent', 'test');

export { silent as log, waitFor };

let nextNamespace: Promise<string> | null = null;

/** Temporal takes up to a second to make a namespace usable, so the next one is prepared in advance. */
async function takeNamespace(): Promise<string> {
  const namespace = await (nextNamespace ?? createNamespace());
  nextNamespace = createNamespace();
  // The next service reports the failure. A run that ends before does not need the namespace.
  nextNamespace.catch(() => undefined);
  return namespace;
}

async function createNamespace(): Promise<string> {
  const namespace = `test-${randomUUID()}`;
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  try {
    await prepareNamespace(connection, namespace, silent);
  } finally {
    await connection.close();
  }
  return namespace;
}

/** Creates a connection to each connector of the test, for the organization of its alerts. */
async function connectEverything({ db }: Database, { catalogue }: SkillSet): Promise<void> {
  for (const { kind } of Object.values(catalogue)) await storeConnection(db, { kind, name: `main ${kind}` });
}

export interface Reply<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface TestServiceOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly worker?: boolean;
  readonly skills?: SkillSet;
  readonly log?: Logger;
  readonly reconcile?: { readonly everySeconds: number; readonly untouchedForSeconds: number };
  readonly bundleTimes?: PinnedBuildTimings;
  readonly slots?: number;
  readonly deliveryBackoff?: DeliveryBackoff;
  /** Whether to serve the dashboard. */
  readonly dashboard?: boolean;
}

/** Starts the real service in this process, as `npm start` does, with its own database and Temporal namespace. */
export async function startTestService({ log = silent, ...options }: TestServiceOptions = {}) {
  const databaseUrl = options.env?.['DATABASE_URL'] ?? (await createDatabase('bootstrapped'));
  const adminKey = inject('adminKey');
  const settings: Settings = readSettings({
    PORT: '0',
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    TEMPORAL_NAMESPACE: options.worker === false || options.env?.['TEMPORAL_NAMESPACE'] ? `test-${randomUUID()}` : await takeNamespace(),
    MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...options.env,
  });
  const database = connectDatabase(databaseUrl, { poolSize: 3, name: 'test' });
  if (options.skills) await connectEverything(database, options.skills);
  const startTestWorker = (bundlePath = inject('workflowBundlePath')) =>
    startWorker({
      settings,
      log,
      workflows: { bundlePath, declarations: declaredPlaybooks(workflows) },
      entities: sharedExtractor(),
      ...(options.skills ? { skills: options.skills } : {}),
      ...(options.reconcile ? { reconcile: options.reconcile } : {}),
      ...(options.bundleTimes ? { bundleTimes: options.bundleTimes } : {}),
      ...(options.slots ? { slots: options.slots } : {}),
      ...(options.deliveryBackoff ? { deliveryBackoff: options.deliveryBackoff } : {}),
    });
  const workers: RunningWorker[] = options.worker === false ? [] : [await startTestWorker()];
  const stopWorkers = async () => void (await Promise.all(workers.splice(0).map((worker) => worker.stop())));
  const dashboardFolder = options.dashboard ? await findPages() : null;
  let api: RunningApi = await startApi({ settings, log, dashboardFolder, worker: workers[0] ?? null });
  const connection = Connection.lazy({ address: settings.TEMPORAL_ADDRESS ?? '' });
  const keyring = Keyring.of(settings);
  const temporal = new Client({
    connection,
    namespace: settings.TEMPORAL_NAMESPACE,
    dataConverter: createDataConverter(settings, keyring),
  });

  async function request<Body = unknown>(
    method: string,
    path: string,
    given: { key?: string | null; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Reply<Body>> {
    const key = given.key === undefined ? adminKey : given.key;
    const response = await fetch(`${api.url}${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { cookie: `Session=${key}` }),
        ...(given.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...given.headers,
      },
      ...(given.body === undefined ? {} : { body: typeof given.body === 'string' ? given.body : JSON.stringify(given.body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as Body };
  }

  async function sendAlert(
    overrides: Partial<CreateAlert> = {},
    given: { key?: string; headers?: Record<string, string> } = {},
  ): Promise<AlertListItem> {
    const body = {
      organization_code: 'DEMO',
      alert_provider: 'siem',
      alert_type: 'Odd sign-in',
      alert_content: 'user=dana from 203.0.113.9',
      ...overrides,
    };
    const reply = await request<AlertListItem>('POST', '/platformapi/alerts', { body, ...given });
    if (reply.status !== 201) throw new Error(`alert was answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  async function readAlert(alertId: string): Promise<AlertListItem> {
    return (await request<AlertListItem>('GET', `/platformapi/alerts/${alertId}`)).body;
  }

  async function waitForStatus(alertId: string, ...statuses: number[]): Promise<AlertListItem> {
    return waitFor(`${alertId} to reach ${statuses}`, async () => {
      // The API takes ten times as long as the database, so only an alert with the status is read from it.
      const [reached] = await database.pg`
        select 1 from alerts where alert_id = ${alertId} and investigation_status = any(${statuses}::int[])`;
      if (!reached) return null;
      const alert = await readAlert(alertId);
      return statuses.includes(alert.investigation_status) ? alert : null;
    });
  }

  async function readCase(alertId: string): Promise<CaseDetail> {
    const { case_id: caseId } = await readAlert(alertId);
    return (await request<CaseDetail>('GET', `/platformapi/cases/${caseId}`)).body;
  }

  async function createKey(
    role: Role,
    organizationCode: string | null = 'DEMO',
    more: { expires_at?: number; name?: string } = {},
  ): Promise<{ api_key: string; key_uuid: string }> {
    const body = { name: `${role} ${randomUUID()}`, role, organization_code: organizationCode, ...more };
    return (await request<{ api_key: string; key_uuid: string }>('POST', '/platformapi/api-keys', { body })).body;
  }

  /** A user with an API key of their own: another person than the admin key and its keys. */
  async function createPerson(role: Role, organizationCode: string | null = 'DEMO', name = `${role} ${randomUUID()}`) {
    const { db } = database;
    const organization = organizationCode === null ? null : await findOrganization(db, organizationCode);
    const organizationUuid = organization?.organization_uuid ?? null;
    const userUuid = await inTransaction(asService(db), async (inside) => {
      const user = { name, email: `${randomUUID()}@demo.example`, passwordHash: null, provider: null, organizationUuid, isVouched: true };
      const created = await addUser(inside, user);
      await saveMembership(inside.db, { userUuid: created, organizationUuid, role, fromClaims: false });
      return created;
    });
    const by: Principal = { uuid: userUuid, name, role, organizationUuid, personUuid: userUuid, userUuid, sessionUuid: null };
    const given = { name: `key of ${name}`, role, organization_code: organizationCode };
    const { api_key, key_uuid } = await createApiKey({ ...asService(db), by }, given);
    return { api_key, key_uuid, user_uuid: userUuid, name };
  }

  return {
    settings,
    adminKey,
    database: database as Database,
    temporal,
    keyring,
    runner: new WorkflowRunner(connection, settings, keyring),
    get url() {
      return api.url;
    },
    request,
    sendAlert,
    readAlert,
    waitForStatus,
    readCase,
    createKey,
    createPerson,
    /** For tests that ask the same question again: an answer is reused and a list is copied for some minutes. */
    async forgetAnswers() {
      await database.pg`delete from list_copies`;
      await database.pg`delete from skill_results where operation_key is null`;
    },
    async stopWorker() {
      await stopWorkers();
    },
    async startWorker(bundlePath?: string) {
      workers.push(await startTestWorker(bundlePath));
    },
    async restartApi() {
      await api.close();
      api = await startApi({ settings, log, dashboardFolder, worker: workers[0] ?? null });
    },
    async stop() {
      await api.close();
      await stopWorkers();
      if (options.worker !== false && settings.TEMPORAL_ADDRESS === inject('temporalAddress')) await deleteSchedules(temporal);
      await connection.close();
      await database.close();
    },
  };
}
export type TestService = Awaited<ReturnType<typeof startTestService>>;

/** The schedules of a stopped service would keep the shared Temporal server busy until the end of the run. */
async function deleteSchedules({ schedule }: Client): Promise<void> {
  for await (const { scheduleId } of schedule.list()) await schedule.getHandle(scheduleId).delete();
}

/** Whether the worker in the API's process received the run's first task with its start. */
export async function startedEagerly(
  { temporal, waitForStatus }: Pick<TestService, 'temporal' | 'waitForStatus'>,
  alertId: string,
): Promise<boolean> {
  await waitForStatus(alertId, 10, 15);
  const { events } = await temporal.workflow.getHandle(alertId).fetchHistory();
  return events?.[0]?.workflowExecutionStartedEventAttributes?.eagerExecutionAccepted ?? false;
}

/** Replays every closed run with the current code and returns their number. */
export async function replayAll({ temporal: { workflow } }: TestService): Promise<number> {
  async function* histories() {
    for await (const { workflowId, runId } of workflow.list({ query: "ExecutionStatus != 'Running'" }))
      yield { workflowId, history: await workflow.getHandle(workflowId, runId).fetchHistory() };
  }
  let replayed = 0;
  for await (const { error } of replayHistories(histories())) {
    if (error) throw error;
    replayed += 1;
  }
  return replayed;
}

/**
 * Starts a worker process that a test can kill. It has the build of the test's own worker: another build could become current after its
 * worker was killed, and no worker would take the next alerts of the test.
 */
export function startWorkerProcess(settings: Settings) {
  const env = {
    ...process.env,
    DATABASE_URL: settings.DATABASE_URL ?? '',
    TEMPORAL_ADDRESS: settings.TEMPORAL_ADDRESS ?? '',
    TEMPORAL_NAMESPACE: settings.TEMPORAL_NAMESPACE,
    TEMPORAL_TASK_QUEUE: settings.TEMPORAL_TASK_QUEUE,
    MASTER_KEY: settings.MASTER_KEY?.join(',') ?? '',
    EGRESS_ALLOW: settings.EGRESS_ALLOW.join(','),
    EGRESS_CA_FILE: settings.EGRESS_CA_FILE ?? '',
    WORKER_PORT: '0',
    LOG_LEVEL: 'warn',
  };
  const command = ['--import', 'tsx', 'test/support/worker-process.ts', inject('workflowBundlePath')];
  return spawn(process.execPath, command, { env, stdio: 'inherit' });
}
