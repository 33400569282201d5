import { requeue } from '../../db/investigations/lifecycle.js';
import { listUnfinished, type UnfinishedAlert } from '../../db/investigations/reconciliation.js';
import { type ReconciliationReport, remedyFor } from '../../domain/investigation/reconciliation.js';
import { asService, readClock } from '../context.js';
import { describeRun, readEndReason } from './describe-run.js';
import { failInvestigation } from './fail.js';
import { type FaultyRunDeps, failFaultyRun } from './fail-faulty-run.js';

const PAGE_SIZE = 200;

/** Queues or ends the unfinished investigations whose run ended or never began. */
export async function reconcileInvestigations(
  deps: FaultyRunDeps,
  { untouchedForSeconds, heartbeat }: { untouchedForSeconds: number; heartbeat: () => void },
): Promise<ReconciliationReport> {
  const report = { looked: 0, requeued: 0, failed: 0 };
  let after: string | null = null;
  for (;;) {
    const page: UnfinishedAlert[] = await listUnfinished(deps.pg, { untouchedForSeconds, after, limit: PAGE_SIZE });
    for (const alert of page) {
      heartbeat();
      report.looked += 1;
      const run = await describeRun(deps.client, alert.alertId);
      if (run.failedTasks > 0) {
        deps.log.warn({ alert_id: alert.alertId, failed_tasks: run.failedTasks }, 'the workflow task of an investigation fails repeatedly');
        if (await failFaultyRun(deps, { workflowId: alert.alertId, runId: run.runId })) report.failed += 1;
      }
      const isOver = run.state !== 'running' && run.state !== 'gone';
      const reason = isOver ? await readEndReason(deps.client, { workflowId: alert.alertId, runId: run.runId }) : undefined;
      const remedy = remedyFor({ ...run, reason }, alert.requeueCount);
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
