import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Db } from '../../db/client.js';
import { listResumable, removeWaiter } from '../../db/connections/connection-waiters.js';
import { CONNECTION_RESTORED } from '../../domain/connection/skill.js';

const PAGE_SIZE = 200;

/** Deletes a waiter's row after Temporal accepts the signal, so that each workflow receives it. */
export async function wakeWaiters({ db, client }: { readonly db: Db; readonly client: Client }): Promise<number> {
  let woken = 0;
  for (;;) {
    const waiters = await listResumable(db, PAGE_SIZE);
    for (const { connectionUuid, workflowId, currentGeneration } of waiters) {
      try {
        await client.workflow
          .getHandle(workflowId)
          .signal(CONNECTION_RESTORED, { connectionId: connectionUuid, generation: currentGeneration });
        woken += 1;
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
      await removeWaiter(db, connectionUuid, workflowId);
    }
    if (waiters.length < PAGE_SIZE) return woken;
  }
}
