import type { Client } from '@temporalio/client';
import type { Db, PgClient } from '../../db/client.js';
import { deleteEndedLinks } from '../../db/connections/credential-links.js';
import { listCaseWorkflows, listDeletableWorkflows, listDueCases } from '../../db/lifecycle/delete-due.js';
import { type AppliedRule, cutoffSeconds, toAppliedRules } from '../../db/lifecycle/due-data.js';
import { listApplicableRules } from '../../db/lifecycle/retention-rules.js';
import { historiesQuery, type RetentionActivities, type RetentionReport } from '../../domain/organization/retention.js';
import { deleteRuns, listRuns, listRunsOf, type WorkflowRun } from '../../platform/temporal-histories.js';
import { asService } from '../context.js';
import { deleteDueCases, deleteDueRows, recordDeletion } from './delete-due.js';
import { deleteSharedRows } from './delete-shared.js';

interface RetentionDeps {
  readonly db: Db;
  readonly pg: PgClient;
  readonly client: Client;
  /** The age at which rows without an organization go. */
  readonly sharedRetentionDays: number;
  heartbeat(): void;
}

/** Small, so that no transaction holds its locks for long. */
const CASES_IN_A_BATCH = 50;
const ROWS_IN_A_BATCH = 5_000;
const HISTORIES_IN_A_BATCH = 500;

/** Deletes one batch of each kind for each organization, and of rows without one. An interrupted batch is repeated: all deletions are idempotent. */
export async function applyRules(deps: RetentionDeps): ReturnType<RetentionActivities['applyRetention']> {
  const deleted: RetentionReport['deleted'] = {
    alerts: 0,
    answers: 0,
    records: 0,
    'stream-events': 0,
    histories: 0,
    audit: 0,
    invitations: 0,
  };
  const shared = await deleteSharedRows(asService(deps.db), deps.sharedRetentionDays, ROWS_IN_A_BATCH);
  deleted.audit += shared.audit;
  deleted.invitations += shared.invitations;
  let more = Object.values(shared).includes(ROWS_IN_A_BATCH);
  for (const { organizationUuid, organizationCode, rules } of await listApplicableRules(deps.db)) {
    for (const rule of toAppliedRules(organizationUuid, rules)) {
      deps.heartbeat();
      const { count, isFull } = await applyRule(deps, rule, organizationCode);
      deleted[rule.kind] += count;
      more ||= isFull;
    }
  }
  await deleteEndedLinks(deps.pg);
  return { deleted, more };
}

interface Batch {
  readonly count: number;
  /** Another batch may find more. */
  readonly isFull: boolean;
}

async function applyRule(deps: RetentionDeps, rule: AppliedRule, organizationCode: string): Promise<Batch> {
  if (rule.kind === 'alerts') return deleteCaseBatch(deps, rule);
  if (rule.kind === 'histories') return deleteDueHistories(deps, rule, organizationCode);
  const count = await deleteDueRows(asService(deps.db), rule, ROWS_IN_A_BATCH);
  return { count, isFull: count === ROWS_IN_A_BATCH };
}

/** The histories go first: without their rows no later batch would find them. */
async function deleteCaseBatch({ db, client }: RetentionDeps, rule: AppliedRule): Promise<Batch> {
  const due = await listDueCases(db, rule, CASES_IN_A_BATCH);
  if (due.length === 0) return { count: 0, isFull: false };
  // No investigation of a due case is unfinished. An open run is a delayed follow-up or undo whose row has ended.
  await deleteRuns(client, await listRunsOf(client, await listCaseWorkflows(db, due)));
  const count = await deleteDueCases(asService(db), rule, due);
  // A case in use in the meantime would be found again and again.
  return { count, isFull: count > 0 && due.length === CASES_IN_A_BATCH };
}

/** The visibility store is behind, so the next batch would list deleted runs again: one batch per schedule is enough. */
async function deleteDueHistories({ db, client, heartbeat }: RetentionDeps, rule: AppliedRule, organizationCode: string): Promise<Batch> {
  const batch: WorkflowRun[] = [];
  for (const query of historiesQuery(organizationCode, cutoffSeconds(rule))) {
    let page: WorkflowRun[] = [];
    const takePage = async () => {
      const deletable = new Set(
        await listDeletableWorkflows(
          db,
          rule.organizationUuid,
          page.map(({ workflowId }) => workflowId),
        ),
      );
      batch.push(...page.filter(({ workflowId }) => deletable.has(workflowId)));
      page = [];
      heartbeat();
    };
    for await (const run of listRuns(client, query)) {
      page.push(run);
      if (page.length < 100) continue;
      await takePage();
      if (batch.length >= HISTORIES_IN_A_BATCH) break;
    }
    await takePage();
  }
  await deleteRuns(client, batch);
  await recordDeletion(asService(db), rule, () => batch.length);
  return { count: batch.length, isFull: false };
}
