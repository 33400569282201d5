import {
  Client,
  type Connection,
  isGrpcServiceError,
  WorkflowFailedError,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  WorkflowNotFoundError,
  type WorkflowStartOptions,
} from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import { INTERACTIVE_PRIORITY } from '../domain/investigation/priority.js';
import type { Settings } from '../platform/settings.js';
import { Problem } from './http/problems.js';

const START_TIMEOUT_MS = 10_000;
const SIGNALS_AT_ONCE = 10;

/** Starts a workflow for somebody who waits for its end. */
export class WorkflowRunner {
  readonly #client: Client;
  readonly #taskQueue: string;

  constructor(connection: Connection, settings: Pick<Settings, 'TEMPORAL_NAMESPACE' | 'TEMPORAL_TASK_QUEUE'>) {
    this.#client = new Client({ connection, namespace: settings.TEMPORAL_NAMESPACE });
    this.#taskQueue = settings.TEMPORAL_TASK_QUEUE;
  }

  get client(): Client {
    return this.#client;
  }

  /** Ends with the workflow or after `waitMs`, whichever comes first; the workflow goes on either way. */
  async run<Result>(workflow: {
    type: string;
    workflowId: string;
    input: unknown;
    summary: string;
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
          staticSummary: workflow.summary,
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
      if (isFromServer(error))
        throw new Problem(503, 'Temporal does not answer, so this cannot be run now. Try again shortly.', { retryAfterSeconds: 5 });
      throw error;
    }
  }

  /** In the place of a run under the same id that has nothing to lose. Where Temporal is away, that one goes on. */
  async replace(
    type: string,
    options: Pick<WorkflowStartOptions, 'workflowId' | 'args' | 'staticSummary' | 'retry' | 'startDelay'>,
  ): Promise<void> {
    const started = this.#client.connection.withDeadline(Date.now() + START_TIMEOUT_MS, () =>
      this.#client.workflow.start(type, {
        ...options,
        taskQueue: this.#taskQueue,
        workflowIdConflictPolicy: WorkflowIdConflictPolicy.TERMINATE_EXISTING,
        workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      }),
    );
    await started.catch(unlessAway);
  }

  /** Wakes whom it can: what they are woken for is written down, and found by those who were not. */
  async signal(workflowIds: readonly string[], name: string): Promise<void> {
    const { connection } = this.#client;
    const waiting = [...workflowIds];
    const work = async () => {
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop())
        await this.#client.workflow.getHandle(id).signal(name).catch(unlessAway);
    };
    await connection.withDeadline(Date.now() + START_TIMEOUT_MS, () => Promise.all(Array.from({ length: SIGNALS_AT_ONCE }, work)));
  }
}

function unlessAway(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError) && !isFromServer(error)) throw error;
}

/** The client wraps what the server said; one that somebody wiped, or that is new, has no namespace yet. */
function isFromServer(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause)
    if (isGrpcServiceError(current) || current instanceof NamespaceNotFoundError) return true;
  return false;
}

const DEADLINE_EXCEEDED = 4;
const CANCELLED = 1;

/** The deadline of a long poll comes as either. */
function isDeadline(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (isGrpcServiceError(current) && (current.code === DEADLINE_EXCEEDED || current.code === CANCELLED)) return true;
  }
  return false;
}
