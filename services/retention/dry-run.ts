import type { Db } from '../../db/client.js';
import { countDue, cutoffSeconds, toAppliedRules } from '../../db/lifecycle/due-data.js';
import { listRules } from '../../db/lifecycle/retention-rules.js';
import type { Principal } from '../../domain/identity/identity.js';
import { historiesQuery, type RetentionRule } from '../../domain/organization/retention.js';
import { requirePathOrganization } from '../organizations/require-organization.js';
import type { WorkflowRunner } from '../workflow-runner.js';
import type { RetentionCount, RetentionDryRun } from './wire.js';

/** Counts what the given rules, or the stored ones, would delete now. Changes nothing. */
export async function dryRunRetention(
  { db, by, runner }: { db: Db; by: Principal; runner: Pick<WorkflowRunner, 'count'> },
  organizationCode: string,
  given: RetentionDryRun,
): Promise<RetentionCount[]> {
  const organizationUuid = await requirePathOrganization(db, by, organizationCode);
  const counts: RetentionCount[] = [];
  for (const rule of toAppliedRules(organizationUuid, given.rules ?? (await listRules(db, organizationUuid))))
    counts.push(rule.kind === 'histories' ? await countHistories(runner, organizationCode, rule) : await countDue(db, rule));
  return counts;
}

/** Counts the investigations only: the other runs do not name their organization. */
async function countHistories(runner: Pick<WorkflowRunner, 'count'>, code: string, rule: RetentionRule): Promise<RetentionCount> {
  const { kind, severity, days } = rule;
  const [query = ''] = historiesQuery(code, cutoffSeconds(rule));
  return { kind, severity, days, would_delete: await runner.count(query), held: 0, oldest_kept_at: null };
}
