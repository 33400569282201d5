import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { endFollowUp, listOverdueFollowUps } from '../../db/investigations/follow-ups.js';
import type { ServiceContext } from '../context.js';
import { startFollowUp, toWorkflowId } from './start.js';

const PAGE_SIZE = 200;

/** Starts follow-ups without a run, and abandons those whose run a person ended in Temporal. */
export async function repairFollowUps(
  context: ServiceContext,
  { client, ...options }: { client: Client; untouchedForSeconds: number; heartbeat: () => void },
): Promise<void> {
  const { db, now } = context;
  for (const followUp of await listOverdueFollowUps(db, options.untouchedForSeconds, PAGE_SIZE)) {
    options.heartbeat();
    try {
      const { status } = await client.workflow.getHandle(toWorkflowId(followUp)).describe();
      if (status.name === 'RUNNING') continue;
      const outcome = `The run ended in Temporal (${status.name.toLowerCase()}).`;
      await endFollowUp(db, followUp, { at: now(), outcome });
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      await startFollowUp(context, followUp, 0);
    }
  }
}
