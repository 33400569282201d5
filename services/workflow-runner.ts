import {
  Client,
  type Connection,
  isGrpcServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  WorkflowNotFoundError,
  type WorkflowStartOptions,
} from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import { type NotifyInput, notifyWorkflowId, WAKE_SIGNAL } from '../domain/notification/delivery.js';
import { escapeMarkdown } from '../domain/text.js';
import { INTERACTIVE_PRIORITY } from '../domain/verdict/priority.js';
import { failedWithStatus, GRPC_STATUS } from '../platform/grpc-status.js';
import type { Keyring } from '../platform/keyring.js';
import type { Settings } from '../platform/settings.js';
import { createDataConverter } from '../platform/temporal.js';
import { CommandError } from './errors.js';

const START_TIMEOUT_MS = 10_000;
const SIGNALS_AT_ONCE = 10;
const COUNT_LIMIT_MS = 5_000;

type StartOptions = Pick<
  WorkflowStartOptions,
  'workflowId' | 'args' | 'staticSummary' | 'staticDetails' | 'typedSearchAttributes' | 'priority' | 'retry' | 'startDelay'
>;

/** Starts and wakes workflows for commands. */
export class WorkflowRunner {
  readonly #client: Client;
  readonly #taskQueue: string;

  constructor(
    connection: Connection,
    settings: Pick<Settings, 'TEMPORAL_NAMESPACE' | 'TEMPORAL_TASK_QUEUE' | 'TEMPORAL_PAYLOAD_ENCRYPTION'>,
    keyring: Keyring,
  ) {
    const dataConverter = createDataConverter(settings, keyring);
    this.#client = new Client({ connection, namespace: settings.TEMPORAL_NAMESPACE, dataConverter });
    this.#taskQueue = settings.TEMPORAL_TASK_QUEUE;
  }

  get client(): Client {
    return this.#client;
  }

  /** Waits for the workflow, at most `waitMs`. The workflow continues in either case. */
  async run<Result>(workflow: {
    type: string;
    workflowId: string;
    input: unknown;
    summary: string;
    searchAttributes?: WorkflowStartOptions['typedSearchAttributes'];
    waitMs: number;
  }): Promise<{ ended: true; result: Result | null } | { ended: false }> {
    const { connection } = this.#client;
    try {
      const handle = await connection.withDeadline(Date.now() + START_TIMEOUT_MS, () =>
        this.#client.workflow.start(workflow.type, {
          taskQueue: this.#taskQueue,
          workflowId: workflow.workflowId,
          args: [workflow.input],
          priority: INTERACTIVE_PRIORITY,
          staticSummary: escapeMarkdown(workflow.summary),
          ...(workflow.searchAttributes === undefined ? {} : { typedSearchAttributes: workflow.searchAttributes }),
          workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
          workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
        }),
      );
      const result = await connection.withDeadline(Date.now() + workflow.waitMs, () => handle.result());
      // biome-ignore lint/nursery/noUnsafeTypeAssertion: the workflow's own type says what it returns.
      return { ended: true, result: result as Result };
    } catch (error) {
      if (error instanceof WorkflowFailedError) return { ended: true, result: null };
      if (isDeadline(error)) return { ended: false };
      throw toUnavailable(error);
    }
  }

  /** Starts a workflow, unless one with its id is open. Throws if Temporal is unavailable: the caller repeats the work. */
  async start(type: string, options: StartOptions): Promise<void> {
    await this.#startUnless(type, { ...options, workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE });
  }

  /** As `start`, but never again after the end of a workflow with the same id. */
  async startOnce(type: string, options: StartOptions): Promise<void> {
    await this.#startUnless(type, { ...options, workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE });
  }

  async #startUnless(type: string, options: Omit<WorkflowStartOptions, 'taskQueue'>): Promise<void> {
    const started = this.#client.connection.withDeadline(Date.now() + START_TIMEOUT_MS, () =>
      this.#client.workflow.start(type, { ...options, taskQueue: this.#taskQueue }),
    );
    await started.catch((error: unknown) => {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw toUnavailable(error);
    });
  }

  /** The number of runs that a visibility query finds. null: Temporal does not answer. */
  async count(query: string): Promise<number | null> {
    const { connection, workflow } = this.#client;
    const counted = await connection.withDeadline(Date.now() + COUNT_LIMIT_MS, () => workflow.count(query)).catch(() => null);
    return counted?.count ?? null;
  }

  /** Replaces a run with the same id. If Temporal is unavailable, the old run stays. */
  async replace(type: string, options: StartOptions): Promise<void> {
    const started = this.#client.connection.withDeadline(Date.now() + START_TIMEOUT_MS, () =>
      this.#client.workflow.start(type, {
        ...options,
        taskQueue: this.#taskQueue,
        workflowIdConflictPolicy: WorkflowIdConflictPolicy.TERMINATE_EXISTING,
        workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      }),
    );
    await started.catch(ignoreUnavailable);
  }

  /** Starts or wakes the workflow of each channel. If Temporal is unavailable, the router wakes it later. */
  async wakeChannels(channelUuids: readonly string[]): Promise<void> {
    await this.#client.connection.withDeadline(Date.now() + START_TIMEOUT_MS, async () => {
      for (const channelUuid of channelUuids)
        await this.#client.workflow
          .signalWithStart('notify', {
            taskQueue: this.#taskQueue,
            workflowId: notifyWorkflowId(channelUuid),
            args: [{ channelId: channelUuid } satisfies NotifyInput],
            signal: WAKE_SIGNAL,
            staticSummary: 'Notifications of a channel',
          })
          .catch(ignoreUnavailable);
    });
  }

  /** Signals the workflows. A lost signal is harmless: the reason is stored, and the workflow reads it later. */
  async signal(workflowIds: readonly string[], name: string): Promise<void> {
    const { connection } = this.#client;
    const waiting = [...workflowIds];
    const work = async () => {
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop())
        await this.#client.workflow.getHandle(id).signal(name).catch(ignoreUnavailable);
    };
    await connection.withDeadline(Date.now() + START_TIMEOUT_MS, () => Promise.all(Array.from({ length: SIGNALS_AT_ONCE }, work)));
  }
}

function toUnavailable(error: unknown): unknown {
  const text = 'The Temporal server does not answer, so the service cannot run this now. Try again shortly.';
  return isFromServer(error) ? new CommandError('unavailable', text, { retryAfterSeconds: 5 }) : error;
}

function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError) && !isFromServer(error)) throw error;
}

/** The client wraps server errors. A new or wiped server has no namespace yet. */
function isFromServer(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause)
    if (isGrpcServiceError(current) || current instanceof NamespaceNotFoundError) return true;
  return false;
}

/** A long poll reports its deadline as either code. */
function isDeadline(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (failedWithStatus(current, GRPC_STATUS.deadlineExceeded) || failedWithStatus(current, GRPC_STATUS.cancelled)) return true;
  }
  return false;
}
