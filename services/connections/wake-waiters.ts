import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Db } from '../../db/client.js';
import { listResumable, type Resumable, removeWaiter, toWaiterKey } from '../../db/connections/connection-waiters.js';
import { CONNECTION_RESTORED } from '../../domain/connection/skill.js';
import { type SweepRun, sweep, sweepAll } from '../reconciler/sweep.js';

interface Deps {
  readonly db: Db;
  readonly client: Client;
}

/** Signals the workflows that wait for a connection that works again. */
export async function wakeWaiters(deps: Deps): Promise<number> {
  const woken = { count: 0 };
  await sweepAll(createRows(deps, woken));
  return woken.count;
}

/** The same, as a part of the reconciler. */
export function wakeWaitersOf(deps: Deps, run: SweepRun): Promise<string | null> {
  return sweep(run, createRows(deps, { count: 0 }));
}

function createRows({ db, client }: Deps, woken: { count: number }) {
  return {
    list: (after: string | null, limit: number) => listResumable(db, { after, limit }),
    keyOf: toWaiterKey,
    /** Deletes a waiter's row after Temporal accepts the signal, so that each workflow receives it. */
    async handle({ connectionUuid, workflowId, currentGeneration }: Resumable): Promise<void> {
      try {
        await client.workflow
          .getHandle(workflowId)
          .signal(CONNECTION_RESTORED, { connectionId: connectionUuid, generation: currentGeneration });
        woken.count += 1;
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
      await removeWaiter(db, connectionUuid, workflowId);
    },
  };
}
