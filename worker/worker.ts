import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { activityInfo, type Info } from '@temporalio/activity';
import {
  Client,
  Connection,
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  WorkflowNotFoundError,
  type WorkflowStartOptions,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { type ActivityInboundCallsInterceptor, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { refuseForeignCaller } from '../activities/callers.js';
import { createEntityExtractor, type EntityExtractor } from '../activities/entities/extractor.js';
import { createActivities, listChangedTopics } from '../activities/index.js';
import type { SkillSet } from '../activities/skills/perform-skill.js';
import { Egress } from '../connectors/kit/egress.js';
import { HttpClient } from '../connectors/kit/http.js';
import { ChangeAnnouncer } from '../db/changes.js';
import { connectDatabase, type Db, isRefusedValue, withoutParameters } from '../db/client.js';
import { acquireSlot } from '../db/connections/connection-calls.js';
import type { ReconcileInput } from '../domain/investigation/reconciliation.js';
import type { DeliveryBackoff } from '../domain/notification/delivery.js';
import { describeSharedType, type PlaybookDeclaration } from '../domain/playbook/playbook.js';
import { backoffMs } from '../platform/backoff.js';
import { Keyring } from '../platform/keyring.js';
import type { Logger } from '../platform/log.js';
import { createMetrics, type Metrics } from '../platform/metrics.js';
import { readPublicUrl, type Settings } from '../platform/settings.js';
import {
  type ColocatedWorker,
  createDataConverter,
  prepareNamespace,
  processIdentity,
  temporalConnectionOptions,
} from '../platform/temporal.js';
import { toDeploymentName } from '../platform/worker-deployment.js';
import { asService } from '../services/context.js';
import { failEndlessRun } from '../services/investigations/fail-faulty-run.js';
import { registerWrittenPlaybooks } from '../services/playbooks/register-written.js';
import { WorkflowRunner } from '../services/workflow-runner.js';
import type { PlaybookWorkflow } from '../workflows/index.js';
import * as workflows from '../workflows/index.js';
import { runAuthor } from '../workflows/lib/author-run.js';
import { checkEgressAllow } from './check-egress.js';
import { sendHeartbeats } from './heartbeats.js';
import { PinnedBuilds, type PinnedBuildTimings } from './pinned-builds.js';
import { startSlackSockets } from './slack/sockets.js';
import { startStreamConsumers } from './stream-consumer.js';
import { loadBundle } from './workflow-bundle.js';
import { endEndlessRuns, WITHOUT_SDK_LIMIT } from './workflow-threads.js';

export interface WorkerOptions {
  readonly settings: Settings;
  readonly log: Logger;
  readonly metrics?: Metrics;
  /** Tests and benchmarks pass their own workflows and skills. */
  readonly workflows?: { readonly bundlePath: string; readonly declarations: readonly PlaybookDeclaration[] };
  readonly skills?: SkillSet;
  /** The caller closes it. Default: the worker's own. */
  readonly entities?: EntityExtractor;
  readonly reconcile?: { readonly everySeconds: number; readonly untouchedForSeconds: number };
  readonly bundleTimes?: PinnedBuildTimings;
  readonly deliveryBackoff?: DeliveryBackoff;
  /** The maximum number of concurrent tasks of each kind. Default: the defaults of the SDK. */
  readonly slots?: number;
}

export interface RunningWorker extends ColocatedWorker {
  /** Waits for running activities, up to the shutdown grace time. */
  stop(): Promise<void>;
  isRunning(): boolean;
}

const CONNECT_BACKOFF = { baseMs: 500, maxMs: 15_000 };
/** A delivery ends before its lease. */
const NOTIFICATION_LIMITS = { callMs: 15_000, silenceMs: 10_000 };
const RETENTION_EVERY_SECONDS = 3_600;
const RECONCILE = { everySeconds: 60, untouchedForSeconds: 120 };
const RECONCILE_RUN_SECONDS = 3_600;
/** After the grace time the worker cancels running skills, then stops without them. Temporal retries them on another worker. */
const SHUTDOWN = { shutdownGraceTime: '5s', shutdownForceTime: '15s' } as const;

/** Shorter than the default of the SDK, which leaves a busy worker little time before a heartbeat timeout. */
const HEARTBEAT_THROTTLE = '5s';

/** A playbook declares its alert types. The name of its export is the workflow type. */
export function declaredPlaybooks(exported: Readonly<Record<string, unknown>> = workflows): PlaybookDeclaration[] {
  return Object.entries(exported).flatMap(([name, workflow]) => {
    if (!isPlaybook(workflow)) return [];
    const { title, alertTypes, categories = [], severity } = workflow.definition;
    return alertTypes.length === 0 ? [] : [{ name, title, alertTypes, categories, ...(severity === undefined ? {} : { severity }) }];
  });
}

function isPlaybook(workflow: unknown): workflow is PlaybookWorkflow {
  return typeof workflow === 'function' && 'definition' in workflow;
}

let runtimeInstalled = false;
function installRuntime(log: Logger): void {
  if (runtimeInstalled) return;
  runtimeInstalled = true;
  // The process handles signals itself, because it stops its parts in a fixed order.
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('WARN', (entry) => log.warn({ sdk_level: entry.level, ...entry.meta }, entry.message)),
    telemetryOptions: { logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } },
  });
}

export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { settings, log } = options;
  const declarations = options.workflows?.declarations ?? declaredPlaybooks();
  installRuntime(log);
  const keyring = Keyring.of(settings);
  const { EGRESS_ALLOW: allow, EGRESS_CA_FILE: caFile } = settings;
  const egress = new Egress({ allow, ca: caFile === undefined ? null : readFileSync(caFile, 'utf8') });
  const database = connectDatabase(settings.DATABASE_URL ?? '', {
    poolSize: settings.DATABASE_POOL_SIZE,
    name: 'alert-investigator worker',
  });
  const httpClient = new HttpClient(egress, {
    acquireSlot: (connectionId, perMinute) => acquireSlot(database.pg, connectionId, perMinute),
  });
  const notificationHttp = new HttpClient(egress, { limits: NOTIFICATION_LIMITS });
  await checkEgressAllow(database.db, allow, log);
  const entities = options.entities ?? createEntityExtractor();
  const connections = await connectTemporal(settings, log);
  const { TEMPORAL_NAMESPACE: namespace, TEMPORAL_TASK_QUEUE: taskQueue } = settings;
  const dataConverter = createDataConverter(settings, keyring);
  const client = new Client({ connection: connections.client, namespace, dataConverter });
  const runner = new WorkflowRunner(connections.client, settings, keyring);
  const reconcile = options.reconcile ?? RECONCILE;
  const metrics = options.metrics ?? createMetrics();
  for (const shared of await registerWrittenPlaybooks(asService(database.db), declarations)) log.error(shared, describeSharedType(shared));
  await ensureSchedule(client, {
    workflowType: 'reconcile',
    taskQueue,
    everySeconds: reconcile.everySeconds,
    args: [toReconcileInput(reconcile)],
    // A pass can take longer than the time between two.
    workflowExecutionTimeout: '90m',
    staticSummary: 'Recover orphaned investigations',
  });
  await ensureSchedule(client, {
    workflowType: 'retention',
    taskQueue,
    everySeconds: RETENTION_EVERY_SECONDS,
    workflowExecutionTimeout: '15m',
    staticSummary: 'Delete data by the retention rules',
  });

  const identity = processIdentity('worker');
  const activities = createActivities(
    {
      ...database,
      client,
      runner,
      entities,
      egress,
      httpClient,
      notificationHttp,
      publicUrl: readPublicUrl(settings),
      operator: settings,
      ...(options.deliveryBackoff ? { deliveryBackoff: options.deliveryBackoff } : {}),
      keyring,
      reconnectWaitSeconds: settings.RECONNECT_WAIT_SECONDS,
      sharedRetentionDays: settings.SHARED_RETENTION_DAYS,
      proposalCheckSeconds: settings.PROPOSAL_CHECK_SECONDS,
      metrics,
      log,
      untouchedForSeconds: reconcile.untouchedForSeconds,
      runPlan: (given) => runAuthor(workflows.generated, given),
    },
    options.skills,
  );
  const announcer = new ChangeAnnouncer(database.pg);
  const workers = await PinnedBuilds.start({
    connection: connections.client,
    connectionOfOthers: connections.others,
    place: { namespace, deploymentName: toDeploymentName(taskQueue) },
    identity,
    db: database.db,
    keyring,
    log,
    own: await loadBundle(options.workflows?.bundlePath),
    becameCurrent: () => cancelScheduledRuns(client, toScheduleId('reconcile', taskQueue)),
    ...(options.bundleTimes ? { times: options.bundleTimes } : {}),
    create: async (code) => {
      const worker = await Worker.create({
        connection: connections.worker,
        namespace,
        taskQueue,
        identity,
        activities: { ...activities, default: refuseUnknownActivity },
        dataConverter,
        interceptors: {
          activity: [
            () => ({ inbound: sendHeartbeats }),
            () => ({ inbound: scrubErrors }),
            ({ info }) => ({ inbound: refuseForeignCallers(database.db, info) }),
            ({ info }) => ({ inbound: announceChanges(announcer, info) }),
          ],
        },
        maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
        ...SHUTDOWN,
        ...(options.slots === undefined ? {} : limitSlots(options.slots)),
        ...WITHOUT_SDK_LIMIT,
        ...code,
      });
      endEndlessRuns(worker, async (run) => {
        await failEndlessRun({ ...database, client, metrics, log }, run).catch((error: unknown) =>
          log.warn({ err: error, run_id: run.runId }, 'ending a faulty investigation failed'),
        );
      });
      return worker;
    },
  });
  const streams = startStreamConsumers({ ...database, databaseUrl: settings.DATABASE_URL ?? '', keyring, egress, log });
  const slack = startSlackSockets({
    policies: { requiresTwoFactor: settings.REQUIRE_TWO_FACTOR, allowsLocalUsers: settings.LOCAL_SIGN_IN },
    ...database,
    runner,
    announcer,
    keyring,
    egress,
    notificationHttp,
    operator: settings,
    allowedApps: settings.SLACK_APPS,
    log,
  });
  return {
    connection: connections.worker,
    takesNewRuns: () => workers.takesNewRuns(),
    isRunning: () => workers.isRunning(),
    async stop() {
      await Promise.all([workers.stop(), streams.stop(), slack.stop()]);
      announcer.stop();
      if (entities !== options.entities) await entities.close();
      await Promise.all([httpClient.close(), notificationHttp.close()]);
      await Promise.all([connections.worker.close(), connections.others.close()]);
      await connections.client.close();
      await database.close();
    },
  };
}

/** Without it, the SDK names all activities in the failure. A worker of another version may know this one, so Temporal retries. */
async function refuseUnknownActivity(): Promise<never> {
  const { activityType } = activityInfo();
  throw ApplicationFailure.create({ type: 'NotFoundError', message: `This worker has no activity ${activityType}.` });
}

function limitSlots(slots: number) {
  return {
    maxConcurrentWorkflowTaskExecutions: slots,
    maxConcurrentActivityTaskExecutions: slots,
    maxConcurrentLocalActivityExecutions: slots,
  };
}

/**
 * Temporal stores the errors of activities. This removes query parameters, which can contain the content of an alert. A value that the
 * database refuses is refused in each try.
 */
const scrubErrors: ActivityInboundCallsInterceptor = {
  async execute(input, next) {
    try {
      return await next(input);
    } catch (error) {
      const scrubbed = withoutParameters(error);
      if (!isRefusedValue(error)) throw scrubbed;
      throw ApplicationFailure.nonRetryable(
        `The database refuses a value: ${scrubbed instanceof Error ? scrubbed.message : scrubbed}`,
        'RefusedValue',
      );
    }
  },
};

function refuseForeignCallers(db: Db, info: Info): ActivityInboundCallsInterceptor {
  return {
    async execute(input, next) {
      await refuseForeignCaller(asService(db), info, input.args);
      return next(input);
    },
  };
}

/** Tells open pages which data changed. */
function announceChanges(announcer: ChangeAnnouncer, info: Info): ActivityInboundCallsInterceptor {
  return {
    async execute(input, next) {
      const result = await next(input);
      const topics = listChangedTopics(info.activityType);
      if (topics.length > 0) announcer.mark(topics, findRecords(info, input.args[0]));
      return result;
    },
  };
}

/** The ids that lead to the organization of an activity: the end of the workflow id, or an id in the input. */
function findRecords({ workflowExecution }: Info, input: unknown): string[] {
  const workflowId = workflowExecution?.workflowId ?? '';
  const given = typeof input === 'object' && input !== null ? Object.entries(input) : [];
  const ids = given.flatMap(([name, value]) => (RECORD_FIELDS.has(name) && typeof value === 'string' ? [value] : []));
  return ids.length > 0 ? ids : [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.exec(workflowId)?.[0] ?? workflowId];
}

const RECORD_FIELDS = new Set(['alertId', 'connectionId', 'proposalId', 'runId']);

/** Waits for Temporal, which may start after the worker. */
async function connectTemporal(settings: Settings, log: Logger) {
  const connectionOptions = await temporalConnectionOptions(settings);
  for (let failures = 0; ; failures += 1) {
    try {
      const client = await Connection.connect(connectionOptions);
      await prepareNamespace(client, settings.TEMPORAL_NAMESPACE, log);
      const connect = () => NativeConnection.connect(connectionOptions);
      return { client, worker: await connect(), others: await connect() };
    } catch (error) {
      const waitMs = backoffMs(failures, CONNECT_BACKOFF);
      log.warn({ err: error, address: connectionOptions.address, wait_ms: waitMs }, 'cannot connect to Temporal; retrying');
      await delay(waitMs);
    }
  }
}

function toReconcileInput({ everySeconds }: { everySeconds: number }): ReconcileInput {
  return { everySeconds, passes: Math.max(1, Math.floor(RECONCILE_RUN_SECONDS / everySeconds)) };
}

type ScheduledRun = Pick<WorkflowStartOptions, 'taskQueue' | 'workflowExecutionTimeout' | 'staticSummary' | 'args'> & {
  readonly workflowType: string;
};

/** The schedule has the name of its workflow. */
function toScheduleId(workflowType: string, taskQueue: string): string {
  return `${workflowType}-${taskQueue}`;
}

/** A run of an earlier build ends after its pass, so that the build is not needed any more. The schedule starts the next run. */
async function cancelScheduledRuns(client: Client, scheduleId: string): Promise<void> {
  const { runningActions } = (await client.schedule.getHandle(scheduleId).describe()).info;
  for (const { workflow } of runningActions) {
    const cancelled = client.workflow.getHandle(workflow.workflowId).cancel();
    await cancelled.catch((error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    });
  }
}

async function ensureSchedule(client: Client, { everySeconds, ...run }: ScheduledRun & { everySeconds: number }): Promise<void> {
  const schedule = {
    spec: { intervals: [{ every: everySeconds * 1000 }] },
    action: { type: 'startWorkflow', ...run } as const,
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m' } as const,
  };
  const scheduleId = toScheduleId(run.workflowType, run.taskQueue);
  try {
    await client.schedule.create({ scheduleId, ...schedule });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await client.schedule.getHandle(scheduleId).update((current) => ({ ...current, ...schedule }));
  }
}
