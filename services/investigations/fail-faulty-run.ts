import { type Client, type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import type { Db, PgClient } from '../../db/client.js';
import { findUnfinished } from '../../db/investigations/reconciliation.js';
import { describeEndlessRun, describeTaskFailure } from '../../domain/investigation/task-failure.js';
import type { Logger } from '../../platform/log.js';
import type { Metrics } from '../../platform/metrics.js';
import { asService } from '../context.js';
import { failInvestigation } from './fail.js';

export interface FaultyRunDeps {
  readonly db: Db;
  readonly pg: PgClient;
  readonly client: Client;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** WORKFLOW_TASK_FAILED_CAUSE_WORKFLOW_WORKER_UNHANDLED_FAILURE: workflow code failed. Other causes can pass. */
const CODE_FAILED = 14;

interface Run {
  readonly workflowId: string;
  readonly runId: string;
}
type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

/**
 * Ends an investigation whose workflow code failed outside of its lifecycle. Temporal would repeat the workflow task for ever.
 * Leaves other failures, such as code that does not fit the history, to a later deployment.
 */
export function failFaultyRun(deps: FaultyRunDeps, run: Run): Promise<boolean> {
  return endRun(deps, run, ({ events }, playbook) => {
    const failed = events?.findLast((event) => event.workflowTaskFailedEventAttributes)?.workflowTaskFailedEventAttributes;
    return failed?.cause === CODE_FAILED && failed.failure ? describeTaskFailure(failed.failure, playbook) : null;
  });
}

/** Ends an investigation whose workflow code does not return. */
export function failEndlessRun(deps: FaultyRunDeps, run: Run): Promise<boolean> {
  return endRun(deps, run, (_history, playbook) => describeEndlessRun(playbook));
}

async function endRun(
  { db, pg, client, metrics, log }: FaultyRunDeps,
  { workflowId, runId }: Run,
  explain: (history: History, playbook: string) => string | null,
): Promise<boolean> {
  const alert = await findUnfinished(pg, workflowId);
  if (!alert) return false;
  const handle = client.workflow.getHandle(workflowId, runId);
  const history = await handle.fetchHistory();
  const playbook = history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name ?? 'unknown';
  const reason = explain(history, playbook);
  if (reason === null) return false;
  log.error({ alert_id: alert.alertId, playbook, reason }, 'ending an investigation whose workflow code fails');
  if (!(await failInvestigation(asService(db), alert, 'reconcile-fail', { attempt: null, reason }))) return false;
  metrics.investigations.inc({ status: 'Failed' });
  await handle.terminate(reason).catch((error: unknown) => {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  });
  return true;
}
