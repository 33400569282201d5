import type { Client } from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import { conflict } from '../errors.js';

/** Runs of the time after the backup would have the ids of other alerts. */
export async function requireNamespaceWithoutRuns({ workflow, options: { namespace } }: Client): Promise<void> {
  try {
    const { count } = await workflow.count("WorkflowType not in ('reconcile', 'retention')");
    if (count > 0)
      throw conflict(
        `The Temporal namespace ${namespace} has ${count} runs of another database. Set TEMPORAL_NAMESPACE to a new namespace, or use an empty Temporal server.`,
      );
  } catch (error) {
    if (!(error instanceof NamespaceNotFoundError)) throw error;
  }
}
