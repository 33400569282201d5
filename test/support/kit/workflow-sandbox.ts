import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { Worker as Thread } from 'node:worker_threads';
import { defaultPayloadConverter, msToTs, type Timestamp, TypedSearchAttributes } from '@temporalio/common';
// Private modules of the SDK version that package.json pins. No other file of the tests uses them.
import { WorkerThreadClient } from '@temporalio/worker/lib/workflow/threaded-vm.js';
import { describeEndlessRun, describeTaskFailure } from '../../../domain/investigation/task-failure.js';
import { findNewestAuthorPlace } from '../../../domain/playbook/error-place.js';
import type { KitBundle } from './kit-bundle.js';

interface SandboxRun {
  readonly bundle: KitBundle;
  readonly workflowType: string;
  readonly startedMs: number;
  readonly input: unknown;
  perform(activity: string, input: unknown): Promise<unknown>;
}

type Send = WorkerThreadClient['send'];
type Input = Parameters<Send>[0];
type Activation = Extract<Exclude<Input, { activation: Uint8Array }>, { type: 'activate-workflow' }>['activation'];
type Job = NonNullable<Exclude<Activation, Uint8Array>['jobs']>[number];

interface Moment {
  readonly nowMs: number;
  readonly historyLength: number;
}

const THREAD = createRequire(import.meta.url).resolve('@temporalio/worker/lib/workflow/workflow-worker-thread.js');
const ignore = () => {};
const NO_LOG = { log: ignore, trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };
/** The SDK's own limit can crash the process, see `worker/workflow-threads.ts`. */
const NO_LIMIT_MS = 24 * 3_600_000;
/** Temporal stores that a workflow task was scheduled, started and completed. */
const EVENTS_OF_A_TASK = 3;
const CHECK_EVERY_MS = 1_000;
/** As in production. A check counts only if this thread had time for a reply since the one before. */
const CHECKS_WITHOUT_REPLY = 5;

/** One for all files of the fork, because it takes longer to start than most playbooks take. */
let client: WorkerThreadClient | null = null;
let loaded: KitBundle | null = null;
let creating: Promise<unknown> = Promise.resolve();

/** Runs a workflow in the sandbox of a worker. The test performs its activities, and timers fire at once. */
export async function runInSandbox(run: SandboxRun): Promise<unknown> {
  const runId = randomUUID();
  const created = creating.then(() => createRun(run, runId));
  creating = created.catch(ignore);
  const sandbox = await created;
  try {
    return await drive(run, (jobs, moment) => activate(sandbox, run, runId, jobs, moment));
  } finally {
    if (sandbox === client) await sandbox.send({ type: 'dispose-workflow', runId }).catch(ignore);
  }
}

/** The thread can start while the bundler works. */
export function openSandbox(): WorkerThreadClient {
  if (client !== null) return client;
  const thread = new Thread(THREAD);
  thread.unref();
  client = new WorkerThreadClient(thread, NO_LOG);
  loaded = null;
  return client;
}

async function createRun({ bundle, workflowType, startedMs }: SandboxRun, runId: string): Promise<WorkerThreadClient> {
  const sandbox = openSandbox();
  if (loaded !== bundle) {
    const { code, filename } = bundle;
    await sandbox.send({
      type: 'init',
      workflowBundle: { code, filename, sourceMap: JSON.parse(bundle.sourceMap) },
      isolateExecutionTimeoutMs: NO_LIMIT_MS,
      reuseV8Context: true,
      registeredActivityNames: new Set(),
      hasPatchActivationCallback: false,
    });
    loaded = bundle;
  }
  const at = new Date(startedMs);
  const info = {
    workflowId: 'TEST-1',
    runId,
    workflowType,
    searchAttributes: {},
    typedSearchAttributes: new TypedSearchAttributes(),
    taskQueue: 'test',
    namespace: 'test',
    firstExecutionRunId: runId,
    startTime: at,
    runStartTime: at,
    taskTimeoutMs: 10_000,
    attempt: 1,
    historyLength: 0,
    historySize: 0,
    continueAsNewSuggested: false,
    suggestedContinueAsNewReasons: [],
    targetWorkerDeploymentVersionChanged: false,
    unsafe: { isReplaying: false, isReplayingHistoryEvents: false },
  };
  const options = { info, randomnessSeed: [1, 2, 3, 4], now: startedMs, showStackTraceSources: false } as unknown as Extract<
    Input,
    { type: 'create-workflow' }
  >['options'];
  await sandbox.send({ type: 'create-workflow', options });
  return sandbox;
}

async function activate(sandbox: WorkerThreadClient, run: SandboxRun, runId: string, jobs: Job[], { nowMs, historyLength }: Moment) {
  const activation = { runId, timestamp: msToTs(nowMs), jobs, historyLength };
  let checks = 0;
  let timer: NodeJS.Timeout | undefined;
  const endless = new Promise<never>((_resolve, reject) => {
    timer = setInterval(() => {
      checks += 1;
      if (checks <= CHECKS_WITHOUT_REPLY) return;
      if (sandbox === client) client = null;
      reject(new Error(describeEndlessRun(run.workflowType)));
      void Reflect.get(sandbox, 'workerThread').terminate();
    }, CHECK_EVERY_MS);
  });
  const sent = sandbox.send({ type: 'activate-workflow', runId, activation });
  sent.catch(ignore);
  const output = await Promise.race([sent, endless]).finally(() => clearInterval(timer));
  if (output?.type !== 'activation-completion' || output.completion instanceof Uint8Array)
    throw new TypeError('The sandbox sent no reply.');
  const { failed, successful } = output.completion;
  if (failed?.failure)
    throw new Error(describeTaskFailure(failed.failure, run.workflowType) ?? failed.failure.message ?? 'unknown failure');
  return successful?.commands ?? [];
}

type SendJobs = (jobs: Job[], moment: Moment) => ReturnType<typeof activate>;

/** Answers the commands of the workflow until it ends. */
async function drive({ workflowType, startedMs, input, perform }: SandboxRun, send: SendJobs): Promise<unknown> {
  const finished: Job[] = [];
  const failures: unknown[] = [];
  const timers = new Map<number, number>();
  let nowMs = startedMs;
  let historyLength = 0;
  let open = 0;
  let wake = ignore;
  const start = (seq: number, name: string, given: unknown) => {
    open += 1;
    (name === 'findWaitingPlace' ? findWaitingPlace(send, { nowMs, historyLength }) : perform(name, given))
      .then(
        (value) => finished.push({ resolveActivity: { seq, result: { completed: { result: defaultPayloadConverter.toPayload(value) } } } }),
        (error: unknown) => failures.push(error),
      )
      .finally(() => {
        open -= 1;
        wake();
      });
  };
  let jobs: Job[] = [
    { initializeWorkflow: { workflowId: 'TEST-1', workflowType, arguments: [defaultPayloadConverter.toPayload(input)], attempt: 1 } },
  ];
  for (;;) {
    historyLength += EVENTS_OF_A_TASK + jobs.length;
    const commands = await send(jobs, { nowMs, historyLength });
    historyLength += commands.length;
    for (const command of commands) {
      const { completeWorkflowExecution: completed, failWorkflowExecution: failed, scheduleActivity, startTimer, cancelTimer } = command;
      if (completed) return completed.result ? defaultPayloadConverter.fromPayload(completed.result) : undefined;
      if (failed) throw new Error(failed.failure?.message ?? 'unknown failure');
      if (scheduleActivity) {
        const [given] = scheduleActivity.arguments ?? [];
        start(scheduleActivity.seq ?? 0, scheduleActivity.activityType ?? '', given && defaultPayloadConverter.fromPayload(given));
      }
      if (startTimer) timers.set(startTimer.seq ?? 0, nowMs + toMs(startTimer.startToFireTimeout));
      if (cancelTimer) timers.delete(cancelTimer.seq ?? 0);
    }
    while (finished.length + failures.length === 0 && open > 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    if (failures.length > 0) throw failures[0];
    if (finished.length === 0) {
      const [next] = [...timers].sort(([, one], [, other]) => one - other);
      if (!next) throw new Error(`The playbook ${workflowType} waits for a condition that never becomes true.`);
      timers.delete(next[0]);
      nowMs = next[1];
      finished.push({ fireTimer: { seq: next[0] } });
    }
    jobs = finished.splice(0);
  }
}

/** As the activity of a worker does. */
async function findWaitingPlace(send: SendJobs, moment: Moment): Promise<string | null> {
  const [command] = await send([{ queryWorkflow: { queryId: 'stacks', queryType: '__stack_trace' } }], moment);
  const stacks = command?.respondToQuery?.succeeded?.response;
  return stacks ? findNewestAuthorPlace(defaultPayloadConverter.fromPayload(stacks)) : null;
}

/** The thread sends a copy of the duration, without the methods of its numbers. */
function toMs(duration: Timestamp | null | undefined): number {
  const { seconds, nanos = 0 } = duration ?? {};
  return ((seconds?.low ?? 0) >>> 0) * 1000 + (nanos ?? 0) / 1e6;
}
