import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { endFollowUp, listOverdueFollowUps, type OpenFollowUp, toFollowUpKey } from '../../db/investigations/follow-ups.js';
import type { ServiceContext } from '../context.js';
import { type SweepRun, sweep } from '../reconciler/sweep.js';
import { beginFollowUp } from './begin.js';
import { startFollowUp, toWorkflowId } from './start.js';

/** Starts due follow-ups without a run, begins those that waited for their investigation, and abandons those whose run a person ended. */
export function repairFollowUps(
  context: ServiceContext,
  { client, untouchedForSeconds }: { readonly client: Client; readonly untouchedForSeconds: number },
  run: SweepRun,
): Promise<string | null> {
  return sweep<OpenFollowUp>(run, {
    list: (after, limit) => listOverdueFollowUps(context.db, { lateBySeconds: untouchedForSeconds, after, limit }),
    keyOf: toFollowUpKey,
    handle: (followUp) => repairFollowUp(context, client, followUp),
  });
}

async function repairFollowUp(context: ServiceContext, client: Client, followUp: OpenFollowUp): Promise<void> {
  try {
    const { status } = await client.workflow.getHandle(toWorkflowId(followUp)).describe();
    if (status.name === 'RUNNING') return;
    if (status.name === 'COMPLETED') return void (await beginFollowUp(context, followUp));
    const outcome = `The run ended in Temporal (${status.name.toLowerCase()}).`;
    await endFollowUp(context.db, followUp, { at: context.now(), outcome });
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    await startFollowUp(context, followUp, 0);
  }
}
