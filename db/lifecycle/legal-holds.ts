import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { LegalHold } from '../../domain/organization/retention.js';
import type { Db, Transaction } from '../client.js';
import { currentName } from '../identity/people.js';
import { cases, legalHolds } from '../schema/index.js';
import { inOrganization } from '../scope.js';

const columns = {
  placed_by: currentName(legalHolds.placedByUuid, legalHolds.placedBy),
  placed_at: legalHolds.placedAt,
  reason: legalHolds.reason,
};

/** The hold of a case; with null, the hold of the whole organization. */
export async function findLegalHold(db: Db | Transaction, organizationUuid: string, caseUuid: string | null): Promise<LegalHold | null> {
  const [found] = await db.select(columns).from(legalHolds).where(isHold(organizationUuid, caseUuid));
  return found ?? null;
}

function isHold(organizationUuid: string, caseUuid: string | null): SQL | undefined {
  return and(
    eq(legalHolds.organizationUuid, organizationUuid),
    caseUuid === null ? isNull(legalHolds.caseUuid) : eq(legalHolds.caseUuid, caseUuid),
  );
}

/** The organization, the case or a case that was merged into it has a hold. The query has the table `cases`. */
export const isCaseHeld = sql`exists (
  select from legal_holds where legal_holds.organization_uuid = cases.organization_uuid
    and (legal_holds.case_uuid is null or legal_holds.case_uuid = cases.case_uuid
      or legal_holds.case_uuid in (select merged.case_uuid from cases as merged where merged.merged_into = cases.case_uuid)))`;

/** The ids of the cases with a hold, of those that were merged into one, and of those into which one was merged. Without parameters. */
export const HELD_CASE_IDS = `select case_id from cases join legal_holds on legal_holds.case_uuid = cases.case_uuid
  union select case_id from cases join legal_holds on legal_holds.case_uuid = cases.merged_into
  union select home.case_id from cases as home join cases as merged on merged.merged_into = home.case_uuid
    join legal_holds on legal_holds.case_uuid = merged.case_uuid`;

const HELD_ALERTS = `select held.alert_uuid from case_alerts as held
    join legal_holds on legal_holds.case_uuid in (held.case_uuid, held.home_case_uuid)`;
const HELD_PROPOSALS = `select held_proposal.proposal_uuid from proposals as held_proposal where held_proposal.alert_uuid in (${HELD_ALERTS})`;
/** Also the case into which a held one was merged. */
const HELD_CASES = `select legal_holds.case_uuid from legal_holds
    union select merged.merged_into from cases as merged join legal_holds using (case_uuid) where merged.merged_into is not null`;
/** Conditions for rows by the column that leads to a case with a hold. Without parameters. */
export const HELD = {
  alert_uuid: `alert_uuid in (${HELD_ALERTS})`,
  case_uuid: `case_uuid in (${HELD_CASES})`,
  proposal_uuid: `proposal_uuid in (${HELD_PROPOSALS})`,
  subject_uuid: `subject_uuid in (${HELD_CASES} union ${HELD_PROPOSALS})`,
  target: `(target in (${HELD_CASE_IDS} union select alert_id from alerts where alert_uuid in (${HELD_ALERTS})
    union select proposal_uuid::text from (${HELD_PROPOSALS}) as held) or details->>'case_id' in (${HELD_CASE_IDS}))`,
} as const;

/** Rows without an organization can be about any of them. */
export const IS_ANY_ORGANIZATION_HELD = 'exists (select from legal_holds where legal_holds.case_uuid is null)';

/**
 * Whether a hold keeps the data of the organization or, with a case, of the case. The caller has locked the case. A hold of the
 * organization that is being placed and the caller see each other.
 */
export async function isHeldNow(
  transaction: Transaction,
  { organizationUuid, caseUuid = null }: { organizationUuid: string; caseUuid?: string | null },
): Promise<boolean> {
  await transaction.execute(sql`select from organizations where organization_uuid = ${organizationUuid} for share`);
  if ((await findLegalHold(transaction, organizationUuid, null)) !== null) return true;
  if (caseUuid === null) return false;
  return (await transaction.$count(cases, and(eq(cases.caseUuid, caseUuid), isCaseHeld))) > 0;
}

/** The alerts of an organization that a hold of their case keeps. */
export function selectHeldAlerts(organizationUuid: string): SQL {
  return sql`select alert_uuid from case_alerts join legal_holds
      on legal_holds.case_uuid = case_alerts.case_uuid or legal_holds.case_uuid = case_alerts.home_case_uuid
    where legal_holds.organization_uuid = ${organizationUuid}`;
}

/** The answers that the evidence of held cases cites, also of questions of other alerts. */
export function selectCitedAnswers(organizationUuid: string): SQL {
  return sql`select (source->>'result_id')::uuid from evidence
    where source ? 'result_id' and alert_uuid in (${selectHeldAlerts(organizationUuid)})`;
}

/** Makes a deletion that has begun and the caller see each other. null where the scope has no such case. */
export async function lockCaseForHold(transaction: Transaction, scope: string | null, caseId: string) {
  const [found] = await transaction
    .select({ caseUuid: cases.caseUuid, organizationUuid: cases.organizationUuid })
    .from(cases)
    .where(and(eq(cases.caseId, caseId), inOrganization(cases.organizationUuid, scope)))
    .for('no key update');
  return found ?? null;
}

/** False where there is a hold already. */
export async function insertHold(transaction: Transaction, row: typeof legalHolds.$inferInsert): Promise<boolean> {
  const placed = await transaction.insert(legalHolds).values(row).onConflictDoNothing().returning({ at: legalHolds.placedAt });
  return placed.length > 0;
}

/** False where there is no hold. */
export async function deleteHold(transaction: Transaction, organizationUuid: string, caseUuid: string | null): Promise<boolean> {
  const released = await transaction.delete(legalHolds).where(isHold(organizationUuid, caseUuid)).returning({ at: legalHolds.placedAt });
  return released.length > 0;
}
