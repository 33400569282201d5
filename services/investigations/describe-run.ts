import { type Client, WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { rootCause } from '@temporalio/common';
import type { RunState } from '../../domain/investigation/reconciliation.js';

const STATES: Readonly<Record<string, RunState>> = {
  RUNNING: 'running',
  CONTINUED_AS_NEW: 'running',
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
  TERMINATED: 'terminated',
  TIMED_OUT: 'timed-out',
};

/** Uses `describe`, because `list` is eventually consistent. */
export async function describeRun(client: Client, workflowId: string): Promise<{ state: RunState; runId: string; failedTasks: number }> {
  try {
    const { status, runId, raw } = await client.workflow.getHandle(workflowId).describe();
    return { state: STATES[status.name] ?? 'running', runId, failedTasks: Math.max(0, (raw.pendingWorkflowTask?.attempt ?? 1) - 1) };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { state: 'gone', runId: '', failedTasks: 0 };
    throw error;
  }
}

/** Why a closed run did not complete. undefined: Temporal names no reason. */
export async function readEndReason(
  client: Client,
  { workflowId, runId }: { workflowId: string; runId: string },
): Promise<string | undefined> {
  try {
    await client.workflow.getHandle(workflowId, runId, { followRuns: false }).result();
  } catch (error) {
    // The SDK repeats its own message where the server has no reason.
    if (error instanceof WorkflowFailedError && error.cause?.message !== error.message) return rootCause(error.cause);
    if (!(error instanceof WorkflowFailedError || error instanceof WorkflowNotFoundError)) throw error;
  }
  return undefined;
}
