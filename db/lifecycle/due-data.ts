import { type SQL, sql } from 'drizzle-orm';
import type { RetentionKind, RetentionRule } from '../../domain/organization/retention.js';
import type { Severity } from '../../domain/verdict/evidence.js';
import type { Db } from '../client.js';
import { nowSeconds } from '../columns.js';
import { DISORDER_SECONDS, firstEntryAt } from '../identity/audit.js';
import { uuidFloor } from '../ids.js';
import { HELD_CASE_IDS, isCaseHeld, selectCitedAnswers, selectHeldAlerts } from './legal-holds.js';

const DAY_SECONDS = 86_400;

/** A rule of one organization. `except`: severities with a rule of their own. */
export interface AppliedRule extends RetentionRule {
  readonly organizationUuid: string;
  readonly except: readonly Severity[];
}

export function toAppliedRules(organizationUuid: string, rules: readonly RetentionRule[]): AppliedRule[] {
  return rules.map((rule) => {
    const others = rules.filter(({ kind, severity }) => kind === rule.kind && severity !== null && rule.severity === null);
    return { ...rule, organizationUuid, except: others.flatMap(({ severity }) => (severity === null ? [] : [severity])) };
  });
}

/** Everything before this moment, in epoch seconds, is old enough. */
export function cutoffSeconds({ days }: Pick<RetentionRule, 'days'>): number {
  return nowSeconds() - days * DAY_SECONDS;
}

/** The part of a kind that a rule covers, and where it becomes old. `isFree`: nothing needs it any more. `isHeld`: a legal hold keeps it. */
interface DueData {
  readonly from: SQL;
  readonly isCovered: SQL;
  readonly isOld: SQL;
  readonly isFree: SQL;
  readonly isHeld: SQL;
  readonly at: SQL;
}

type StoredKind = Exclude<RetentionKind, 'histories'>;

const memberWith = (table: string, condition: string) =>
  sql.raw(
    `exists (select from case_alerts join ${table} using (alert_uuid) where case_alerts.case_uuid = cases.case_uuid and ${condition})`,
  );

/**
 * A case with an unfinished investigation, a follow-up, a pending proposal or a write without a known outcome is in use. A reserved
 * write keeps its key, because the key prevents a second write. The service keeps idempotency keys for two days.
 */
const isCaseInUse = sql.join(
  [
    memberWith(
      'alerts',
      "(investigation_status not in (15, 20) or dispatched_no < investigation_no or alerts.created_at > now() - interval '2 days')",
    ),
    memberWith('follow_ups', 'ended_at is null'),
    memberWith('proposals', 'ended_at is null'),
    memberWith('skill_results', "operation_key is not null and (status = 'started' or started_at > now() - interval '1 day')"),
  ],
  sql` or `,
);

export function describeDue(rule: AppliedRule): DueData {
  const { organizationUuid } = rule;
  const cutoff = cutoffSeconds(rule);
  const time = sql`to_timestamp(${cutoff})`;
  const isOrganizationHeld = sql`exists (select from legal_holds where organization_uuid = ${organizationUuid} and case_uuid is null)`;
  const heldAlerts = selectHeldAlerts(organizationUuid);
  const described: Record<StoredKind, () => DueData> = {
    alerts: () => ({
      from: sql`cases`,
      isCovered: sql`cases.organization_uuid = ${organizationUuid} and status = 'closed' and merged_into is null and ${coversSeverity(rule)}`,
      isOld: sql`closed_at < ${time}`,
      isFree: sql`not (${isCaseInUse})`,
      isHeld: isCaseHeld,
      at: sql`closed_at`,
    }),
    answers: () => ({
      from: sql`skill_results`,
      isCovered: sql`skill_results.organization_uuid = ${organizationUuid} and operation_key is null`,
      isOld: sql`result_uuid < ${uuidFloor(cutoff)}::uuid`,
      isFree: sql`not exists (select from alerts where alerts.alert_uuid = skill_results.alert_uuid and investigation_status not in (15, 20))`,
      isHeld: sql`(${isOrganizationHeld} or coalesce(skill_results.alert_uuid in (${heldAlerts}), false)
        or skill_results.result_uuid in (${selectCitedAnswers(organizationUuid)}))`,
      at: sql`started_at`,
    }),
    records: () => ({
      from: sql`third_party_records`,
      isCovered: sql`organization_uuid = ${organizationUuid}`,
      isOld: sql`copied_at < ${time}`,
      isFree: sql`true`,
      isHeld: isOrganizationHeld,
      at: sql`copied_at`,
    }),
    'stream-events': () => ({
      from: sql`stream_events`,
      isCovered: sql`connection_uuid in (select connection_uuid from connections where organization_uuid = ${organizationUuid})`,
      isOld: sql`at < ${time}`,
      isFree: sql`true`,
      isHeld: isOrganizationHeld,
      at: sql`at`,
    }),
    audit: () => ({
      from: sql`audit_log`,
      isCovered: sql`organization_uuid = ${organizationUuid}`,
      isOld: sql`at < ${time} and entry_no < ${firstEntryAt(cutoff + DISORDER_SECONDS)}`,
      isFree: sql`true`,
      isHeld: sql`(${isOrganizationHeld} or target in (select alert_id from alerts where alert_uuid in (${heldAlerts}))
        or target in (${sql.raw(HELD_CASE_IDS)}) or coalesce(details->>'case_id' in (${sql.raw(HELD_CASE_IDS)}), false)
        or target in (select proposal_uuid::text from proposals where alert_uuid in (${heldAlerts})))`,
      at: sql`at`,
    }),
  };
  if (rule.kind === 'histories') throw new Error('Temporal has the histories, not the database.');
  return described[rule.kind]();
}

function coversSeverity({ severity, except }: AppliedRule): SQL {
  if (severity !== null) return sql`severity = ${severity}`;
  return except.length === 0 ? sql`true` : sql`(severity is null or severity not in ${except})`;
}

/** What the rule would delete now. Changes nothing. */
export async function countDue(db: Db, rule: AppliedRule) {
  const { from, isCovered, isOld, isFree, isHeld, at } = describeDue(rule);
  const [row] = await db.execute<{ would_delete: number; held: number; oldest_kept_at: number | null }>(sql`
    select (select count(*)::int from ${from} where ${isCovered} and ${isOld} and ${isFree} and not ${isHeld}) as would_delete,
      (select count(*)::int from ${from} where ${isCovered} and ${isOld} and ${isFree} and ${isHeld}) as held,
      (select floor(extract(epoch from min(${at})))::float8 from ${from} where ${isCovered} and not (${isOld} and ${isFree} and not ${isHeld}))
        as oldest_kept_at`);
  const { kind, severity, days } = rule;
  return { kind, severity, days, would_delete: row?.would_delete ?? 0, held: row?.held ?? 0, oldest_kept_at: row?.oldest_kept_at ?? null };
}
