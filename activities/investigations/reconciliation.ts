import { Context } from '@temporalio/activity';
import { forgetOldIdempotencyKeys } from '../../db/alerts/intake.js';
import { updateSearchBlocks } from '../../db/alerts/search-blocks.js';
import type { Topic } from '../../db/changes.js';
import { deleteOldEvents } from '../../db/notifications/events.js';
import { deleteOldRecords } from '../../db/records/records.js';
import type { ReconciliationActivities } from '../../domain/investigation/reconciliation.js';
import { announceSilentAgents } from '../../services/agents/announce-silent.js';
import { tidySteps } from '../../services/agents/tidy-steps.js';
import { announceExpiringSecrets } from '../../services/connections/announce-expiring-secrets.js';
import { wakeWaiters } from '../../services/connections/wake-waiters.js';
import { beginAnswerableFollowUps } from '../../services/follow-ups/begin-early.js';
import { repairFollowUps } from '../../services/follow-ups/repair.js';
import type { FaultyRunDeps } from '../../services/investigations/fail-faulty-run.js';
import { reconcileInvestigations } from '../../services/investigations/reconcile.js';
import { deleteUnusedPlaybooks } from '../../services/playbooks/delete-unused.js';
import { repairProposals } from '../../services/proposals/repair.js';
import { startLostRuns } from '../../services/skill-runs/start-lost.js';
import { schedulePolls } from '../../services/sources/schedule-polls.js';
import { type CommandDeps, serviceContext } from '../service-context.js';

export interface ReconciliationDeps extends FaultyRunDeps, CommandDeps {
  /** A younger record can have a start or an end that is still in progress. */
  readonly untouchedForSeconds: number;
}

/** The reconciler runs each minute and mostly changes nothing, so it announces nothing. */
export const RECONCILIATION_ACTIVITY_TOPICS = {
  reconcileAlerts: [],
} as const satisfies Record<keyof ReconciliationActivities, readonly Topic[]>;

export function createReconciliationActivities(deps: ReconciliationDeps): ReconciliationActivities {
  const { pg, client, untouchedForSeconds } = deps;
  const context = serviceContext(deps);
  return {
    async reconcileAlerts() {
      const { info } = Context.current();
      const options = { client, untouchedForSeconds, heartbeat: () => Context.current().heartbeat() };
      const report = await reconcileInvestigations(deps, options);
      await forgetOldIdempotencyKeys(pg);
      await updateSearchBlocks(pg);
      await deleteOldRecords(pg);
      await deleteUnusedPlaybooks(pg);
      await deleteOldEvents(pg);
      await announceSilentAgents(context);
      await announceExpiringSecrets(context);
      // The process that restored a connection can stop before it signals the workflows.
      await wakeWaiters(deps);
      await tidySteps(deps);
      await startLostRuns(context, client, untouchedForSeconds);
      await repairProposals(context, options);
      await repairFollowUps(context, options);
      await beginAnswerableFollowUps(context, options.heartbeat);
      await schedulePolls(deps, info.taskQueue);
      return report;
    },
  };
}
