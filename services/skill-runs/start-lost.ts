import type { Client } from '@temporalio/client';
import { listUnendedRuns } from '../../db/skills/skill-runs.js';
import { skillRunWorkflowId } from '../../domain/connection/skill.js';
import type { ServiceContext } from '../context.js';
import { describeRun } from '../investigations/describe-run.js';
import { restartWorkflow } from './run-workflow.js';

const PAGE_SIZE = 200;

/** Starts no run that is open or that a person ended. */
export async function startLostRuns(context: ServiceContext, client: Client, untouchedForSeconds: number): Promise<void> {
  for (const run of await listUnendedRuns(context.db, context.now() - untouchedForSeconds, PAGE_SIZE)) {
    const { state } = await describeRun(client, skillRunWorkflowId(run.runUuid));
    // An ended run whose end is not stored waited for a second approval, which has arrived.
    if (state === 'gone' || state === 'completed' || state === 'failed') await restartWorkflow(context, run);
  }
}
