import { type Client, WorkflowNotFoundError } from '@temporalio/client';
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
