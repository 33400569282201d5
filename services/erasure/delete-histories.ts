import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { deleteRuns, type WorkflowRun } from '../../platform/temporal-histories.js';
import { conflict } from '../errors.js';

const LOOK_EVERY_MS = 250;
const DELETION_LIMIT_MS = 120_000;

/** Waits for the end, because Temporal deletes in the background. */
export async function deleteHistories(client: Client, runs: readonly WorkflowRun[]): Promise<void> {
  await deleteRuns(client, runs);
  const limit = Date.now() + DELETION_LIMIT_MS;
  for (const { workflowId, runId } of runs) {
    for (;;) {
      const isGone = await client.workflow
        .getHandle(workflowId, runId)
        .describe()
        .then(
          () => false,
          (error: unknown) => {
            if (error instanceof WorkflowNotFoundError) return true;
            throw error;
          },
        );
      if (isGone) break;
      if (Date.now() > limit) throw conflict('Temporal has not deleted all histories yet. Run the command again.');
      await sleep(LOOK_EVERY_MS);
    }
  }
}
