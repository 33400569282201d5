import type { Client } from '@temporalio/client';
import { listUnendedRuns } from '../../db/skills/skill-runs.js';
import { type SkillRunStart, skillRunWorkflowId } from '../../domain/connection/skill.js';
import type { ServiceContext } from '../context.js';
import { describeRun } from '../investigations/describe-run.js';
import { type SweepRun, sweep } from '../reconciler/sweep.js';
import { restartWorkflow } from './run-workflow.js';

/** Starts no run that is open or that a person ended. */
export function startLostRuns(
  context: ServiceContext,
  { client, untouchedForSeconds }: { readonly client: Client; readonly untouchedForSeconds: number },
  run: SweepRun,
): Promise<string | null> {
  const askedBefore = context.now() - untouchedForSeconds;
  return sweep<SkillRunStart>(run, {
    list: (after, limit) => listUnendedRuns(context.db, { askedBefore, after, limit }),
    keyOf: ({ runUuid }) => runUuid,
    async handle(lost) {
      const { state } = await describeRun(client, skillRunWorkflowId(lost.runUuid));
      // An ended run whose end is not stored waited for a second approval, which has arrived.
      if (state === 'gone' || state === 'completed' || state === 'failed') await restartWorkflow(context, lost);
    },
  });
}
