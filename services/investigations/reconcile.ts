import { requeue } from '../../db/investigations/lifecycle.js';
import { listUnfinished, type UnfinishedAlert } from '../../db/investigations/reconciliation.js';
import { remedyFor } from '../../domain/investigation/reconciliation.js';
import { asService, readClock } from '../context.js';
import { type SweepRun, sweep } from '../reconciler/sweep.js';
import { describeRun, readEndReason } from './describe-run.js';
import { failInvestigation } from './fail.js';
import { type FaultyRunDeps, failFaultyRun } from './fail-faulty-run.js';

export interface InvestigationCounts {
  looked: number;
  requeued: number;
  failed: number;
}

/** Queues or ends the unfinished investigations whose run ended or never began. */
export function reconcileInvestigations(
  deps: FaultyRunDeps & { readonly untouchedForSeconds: number },
  run: SweepRun,
  counts: InvestigationCounts,
): Promise<string | null> {
  const { untouchedForSeconds } = deps;
  return sweep<UnfinishedAlert>(run, {
    list: (after, limit) => listUnfinished(deps.pg, { untouchedForSeconds, after, limit }),
    keyOf: ({ alertUuid }) => alertUuid,
    handle: (alert) => reconcileInvestigation(deps, alert, counts),
  });
}

async function reconcileInvestigation(deps: FaultyRunDeps, alert: UnfinishedAlert, counts: InvestigationCounts): Promise<void> {
  counts.looked += 1;
  const run = await describeRun(deps.client, alert.alertId);
  if (run.failedTasks > 0) {
    deps.log.warn({ alert_id: alert.alertId, failed_tasks: run.failedTasks }, 'the workflow task of an investigation fails repeatedly');
    if (await failFaultyRun(deps, { workflowId: alert.alertId, runId: run.runId })) counts.failed += 1;
  }
  const isOver = run.state !== 'running' && run.state !== 'gone';
  const reason = isOver ? await readEndReason(deps.client, { workflowId: alert.alertId, runId: run.runId }) : undefined;
  const remedy = remedyFor({ ...run, reason }, alert.requeueCount);
  if (remedy.do === 'leave') return;
  deps.log.warn({ alert_id: alert.alertId, status: alert.status, remedy }, 'recovering orphaned investigation');
  if (remedy.do === 'requeue' && (await requeue(deps.db, alert, readClock()))) counts.requeued += 1;
  if (remedy.do !== 'fail') return;
  if (await failInvestigation(asService(deps.db), alert, 'reconcile-fail', { attempt: null, reason: remedy.reason })) {
    deps.metrics.investigations.inc({ status: 'Failed' });
    counts.failed += 1;
  }
}
