import { Context } from '@temporalio/activity';
import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowIdReusePolicy, WorkflowNotFoundError } from '@temporalio/client';
import type { Db } from '../db/client.js';
import * as followUps from '../db/investigations/follow-ups.js';
import type { InvestigationRef } from '../db/investigations/lifecycle.js';
import { type FollowUpActivities, followUpWorkflowId } from '../domain/investigation/investigation.js';

export interface FollowUpDeps {
  readonly db: Db;
  readonly client: Client;
}

const HOURS_AT_LEAST = 1;
const HOURS_AT_MOST = 90 * 24;

/** The books of what is to be looked at again: each of these may run twice and leaves the same rows. */
export function createFollowUpActivities({ db, client }: FollowUpDeps): FollowUpActivities {
  return {
    async planFollowUp({ afterHours, reason, ...ref }) {
      const hours = Math.max(HOURS_AT_LEAST, Math.min(HOURS_AT_MOST, Math.round(afterHours)));
      const planned = await followUps.planFollowUp(db, ref, { afterHours: hours, reason });
      if (planned === null) return false;
      await startFollowUp(client, Context.current().info.taskQueue, ref, planned.dueAt);
      return planned.isNew;
    },

    beginFollowUp: (ref) => followUps.beginFollowUp(db, ref),
  };
}

/** Under its own id, and in no worker until it is due: one that is there, or over, is not started a second time. */
async function startFollowUp(client: Client, taskQueue: string, ref: InvestigationRef, dueAt: number): Promise<void> {
  const { alertId, investigationNo } = ref;
  const delayMs = dueAt * 1000 - Date.now();
  try {
    await client.workflow.start('followUp', {
      taskQueue,
      workflowId: followUpWorkflowId(ref),
      args: [{ alertId, investigationNo }],
      staticSummary: `${alertId} is looked at again`,
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      // A database that is away for long ends a run, never a follow-up.
      retry: { initialInterval: '10s', backoffCoefficient: 2, maximumInterval: '10m' },
      ...(delayMs > 0 ? { startDelay: delayMs } : {}),
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

const PAGE_SIZE = 200;

/** Starts those whose start was lost, and ends those whose run somebody ended. */
export async function repairFollowUps(
  { db, client }: FollowUpDeps,
  options: { taskQueue: string; untouchedForSeconds: number; heartbeat: () => void },
): Promise<void> {
  for (const followUp of await followUps.listOverdueFollowUps(db, options.untouchedForSeconds, PAGE_SIZE)) {
    options.heartbeat();
    try {
      const { status } = await client.workflow.getHandle(followUpWorkflowId(followUp)).describe();
      if (status.name === 'RUNNING') continue;
      await followUps.abandonFollowUp(db, followUp, `Its run was ended in Temporal (${status.name.toLowerCase()}).`);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      await startFollowUp(client, options.taskQueue, followUp, 0);
    }
  }
}
