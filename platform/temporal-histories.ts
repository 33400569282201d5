import type { Client } from '@temporalio/client';
import { failedWithStatus, GRPC_STATUS } from './grpc-status.js';

export interface WorkflowRun {
  readonly workflowId: string;
  readonly runId: string;
  readonly isOpen: boolean;
}

const IDS_IN_A_QUERY = 50;
const AT_ONCE = 10;

/** Lists runs that match a query of Temporal's visibility store, which is some seconds behind. */
export async function* listRuns(client: Client, query: string): AsyncGenerator<WorkflowRun> {
  for await (const { workflowId, runId, status } of client.workflow.list({ query }))
    yield { workflowId, runId, isOpen: status.name === 'RUNNING' };
}

/** All runs of the workflows, of every investigation and attempt. */
export async function listRunsOf(client: Client, workflowIds: readonly string[]): Promise<WorkflowRun[]> {
  const found: WorkflowRun[] = [];
  for (let first = 0; first < workflowIds.length; first += IDS_IN_A_QUERY) {
    const ids = workflowIds.slice(first, first + IDS_IN_A_QUERY).map((id) => `'${id.replaceAll("'", "''")}'`);
    for await (const run of listRuns(client, `WorkflowId in (${ids.join(', ')})`)) found.push(run);
  }
  return found;
}

/** Deletes the histories for good. Temporal would terminate an open run, so the caller passes only runs that may end. */
export async function deleteRuns(client: Client, runs: readonly WorkflowRun[]): Promise<void> {
  const { namespace } = client.options;
  const waiting = [...runs];
  const work = async () => {
    for (let run = waiting.pop(); run !== undefined; run = waiting.pop()) {
      const { workflowId, runId } = run;
      await client.workflowService
        .deleteWorkflowExecution({ namespace, workflowExecution: { workflowId, runId } })
        .catch((error: unknown) => {
          if (!failedWithStatus(error, GRPC_STATUS.notFound)) throw error;
        });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
