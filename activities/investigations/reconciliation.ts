import { Context } from '@temporalio/activity';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { forgetOldIdempotencyKeys } from '../../db/alerts/intake.js';
import { updateSearchBlocks } from '../../db/alerts/search-blocks.js';
import type { Topic } from '../../db/changes.js';
import type { Db, PgClient } from '../../db/client.js';
import { requeue } from '../../db/investigations/lifecycle.js';
import { listUnfinished, type UnfinishedAlert } from '../../db/investigations/reconciliation.js';
import { deleteOldEvents } from '../../db/notifications/events.js';
import { deleteOldRecords } from '../../db/records/records.js';
import { listUnendedRuns } from '../../db/skills/skill-runs.js';
import { skillRunWorkflowId } from '../../domain/connection/skill.js';
import {
  type ReconciliationActivities,
  type ReconciliationReport,
  type RunState,
  remedyFor,
} from '../../domain/investigation/reconciliation.js';
import type { Logger } from '../../platform/log.js';
import type { Metrics } from '../../platform/metrics.js';
import { announceSilentAgents } from '../../services/agents/announce-silent.js';
import { announceExpiringSecrets } from '../../services/connections/announce-expiring-secrets.js';
import { wakeWaiters } from '../../services/connections/wake-waiters.js';
import { asService, readClock, type ServiceContext } from '../../services/context.js';
import { failInvestigation } from '../../services/investigations/fail.js';
import { deleteUnusedPlaybooks } from '../../services/playbooks/delete-unused.js';
import { restartWorkflow } from '../../services/skill-runs/run-workflow.js';
import { schedulePolls } from '../../services/sources/schedule-polls.js';
import { repairProposals } from '../response/proposals.js';
import { serviceContext } from '../service-context.js';
import { tidyParkedSteps } from '../skills/parked-steps.js';
import { failFaultyRun } from './faulty-runs.js';
import { beginAnswerableFollowUps, repairFollowUps } from './follow-ups.js';

const PAGE_SIZE = 200;

export interface ReconciliationDeps {
  readonly db: Db;
  readonly pg: PgClient;
  readonly client: Client;
  readonly runner: ServiceContext['runner'];
  readonly metrics: Metrics;
  readonly log: Logger;
  /** A younger record can have a start or an end that is still in progress. */
  readonly untouchedForSeconds: number;
}

/** The reconciler runs each minute and mostly changes nothing, so it announces nothing. */
export const RECONCILIATION_ACTIVITY_TOPICS = {
  reconcileAlerts: [],
} as const satisfies Record<keyof ReconciliationActivities, readonly Topic[]>;

export function createReconciliationActivities(deps: ReconciliationDeps): ReconciliationActivities {
  return {
    async reconcileAlerts() {
      const report = await reconcile(deps, () => Context.current().heartbeat());
      await forgetOldIdempotencyKeys(deps.pg);
      await updateSearchBlocks(deps.pg);
      await deleteOldRecords(deps.pg);
      await deleteUnusedPlaybooks(deps.pg);
      await deleteOldEvents(deps.pg);
      const context = asService(deps.db);
      await announceSilentAgents(context);
      await announceExpiringSecrets(context);
      // The process that restored a connection can stop before it signals the workflows.
      await wakeWaiters(deps);
      await tidyParkedSteps(deps);
      await startLostRuns(deps);
      const { taskQueue } = Context.current().info;
      const options = { ...deps, taskQueue, heartbeat: () => Context.current().heartbeat() };
      await repairProposals(deps, options);
      await repairFollowUps(deps, options);
      await beginAnswerableFollowUps(deps, options.heartbeat);
      await schedulePolls(deps, taskQueue);
      return report;
    },
  };
}

/** Starts no run that is open or that a person ended. */
async function startLostRuns(deps: ReconciliationDeps): Promise<void> {
  for (const run of await listUnendedRuns(deps.db, readClock() - deps.untouchedForSeconds, PAGE_SIZE)) {
    const { state } = await describeRun(deps.client, skillRunWorkflowId(run.runUuid));
    // An ended run whose end is not stored waited for a second approval, which has arrived.
    if (state === 'gone' || state === 'completed' || state === 'failed') await restartWorkflow(serviceContext(deps), run);
  }
}

async function reconcile(deps: ReconciliationDeps, heartbeat: () => void): Promise<ReconciliationReport> {
  const report = { looked: 0, requeued: 0, failed: 0 };
  let after: string | null = null;
  for (;;) {
    const page: UnfinishedAlert[] = await listUnfinished(deps.pg, {
      untouchedForSeconds: deps.untouchedForSeconds,
      after,
      limit: PAGE_SIZE,
    });
    for (const alert of page) {
      heartbeat();
      report.looked += 1;
      const run = await describeRun(deps.client, alert.alertId);
      if (run.failedTasks > 0) {
        deps.log.warn({ alert_id: alert.alertId, failed_tasks: run.failedTasks }, 'the workflow task of an investigation fails repeatedly');
        if (await failFaultyRun(deps, { workflowId: alert.alertId, runId: run.runId })) report.failed += 1;
      }
      const remedy = remedyFor(run, alert.requeueCount);
      if (remedy.do === 'leave') continue;
      deps.log.warn({ alert_id: alert.alertId, status: alert.status, remedy }, 'recovering orphaned investigation');
      if (remedy.do === 'requeue' && (await requeue(deps.db, alert, readClock()))) report.requeued += 1;
      if (remedy.do !== 'fail') continue;
      if (await failInvestigation(asService(deps.db), alert, 'reconcile-fail', { attempt: null, reason: remedy.reason })) {
        deps.metrics.investigations.inc({ status: 'Failed' });
        report.failed += 1;
      }
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE_SIZE) return report;
    after = last.alertUuid;
  }
}

const STATES: Readonly<Record<string, RunState>> = {
  RUNNING: 'running',
  CONTINUED_AS_NEW: 'running',
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
  TERMINATED: 'terminated',
  TIMED_OUT: 'timed-out',
};

/** Uses `describe`, because `list` is eventually consistent. */
async function describeRun(client: Client, workflowId: string): Promise<{ state: RunState; runId: string; failedTasks: number }> {
  try {
    const { status, runId, raw } = await client.workflow.getHandle(workflowId).describe();
    return { state: STATES[status.name] ?? 'running', runId, failedTasks: Math.max(0, (raw.pendingWorkflowTask?.attempt ?? 1) - 1) };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { state: 'gone', runId: '', failedTasks: 0 };
    throw error;
  }
}
