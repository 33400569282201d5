import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Principal } from '../../domain/identity/identity.js';
import type { LegalHold } from '../../domain/organization/retention.js';
import { insertAcknowledgingEntry } from '../cases/timeline.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { recordAudit } from '../identity/audit.js';
import { cases, legalHolds, organizations } from '../schema/index.js';

const columns = { placed_by: legalHolds.placedBy, placed_at: legalHolds.placedAt, reason: legalHolds.reason };

/** The hold of a case; with null, the hold of the whole organization. */
export async function findHold(db: Db | Transaction, organizationUuid: string, caseUuid: string | null): Promise<LegalHold | null> {
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

/** The alerts of an organization that a hold of their case keeps. */
export function selectHeldAlerts(organizationUuid: string): SQL {
  return sql`select alert_uuid from case_alerts join legal_holds
      on legal_holds.case_uuid = case_alerts.case_uuid or legal_holds.case_uuid = case_alerts.home_case_uuid
    where legal_holds.organization_uuid = ${organizationUuid}`;
}

export type HoldOutcome = 'done' | 'missing' | 'conflict';

/** 'conflict': the case has a hold already. */
export function placeCaseHold(db: Db, by: Principal, caseId: string, reason: string): Promise<HoldOutcome> {
  return changeCaseHold(db, by, caseId, { placed: true, reason });
}

/** 'conflict': the case has no hold. */
export function releaseCaseHold(db: Db, by: Principal, caseId: string, reason: string): Promise<HoldOutcome> {
  return changeCaseHold(db, by, caseId, { placed: false, reason });
}

interface HoldChange {
  readonly placed: boolean;
  readonly reason: string;
}

async function changeCaseHold(db: Db, by: Principal, caseId: string, change: HoldChange): Promise<HoldOutcome> {
  return db.transaction(async (transaction) => {
    // The lock makes a deletion that has begun and this change see each other.
    const [found] = await transaction
      .select({ caseUuid: cases.caseUuid, organizationUuid: cases.organizationUuid })
      .from(cases)
      .where(and(eq(cases.caseId, caseId), by.organizationUuid === null ? undefined : eq(cases.organizationUuid, by.organizationUuid)))
      .for('no key update');
    if (!found) return 'missing';
    if (!(await writeHold(transaction, by, found, caseId, change))) return 'conflict';
    const text = change.placed ? `Placed: ${change.reason}` : `Released: ${change.reason}`;
    await insertAcknowledgingEntry(transaction, { caseUuid: found.caseUuid, at: nowSeconds(), kind: 'legal-hold', by: by.name, text });
    return 'done';
  });
}

/** False where the organization has a hold already, or none to release. */
export async function changeOrganizationHold(db: Db, by: Principal, organizationUuid: string, change: HoldChange): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const [found] = await transaction
      .select({ code: organizations.organizationCode })
      .from(organizations)
      .where(eq(organizations.organizationUuid, organizationUuid))
      .for('no key update');
    return writeHold(transaction, by, { organizationUuid, caseUuid: null }, found?.code ?? '', change);
  });
}

async function writeHold(
  transaction: Transaction,
  by: Principal,
  place: { organizationUuid: string; caseUuid: string | null },
  target: string,
  { placed, reason }: HoldChange,
): Promise<boolean> {
  const changed = placed
    ? await transaction
        .insert(legalHolds)
        .values({ ...place, reason, placedBy: by.name, placedAt: nowSeconds() })
        .onConflictDoNothing()
        .returning({ at: legalHolds.placedAt })
    : await transaction.delete(legalHolds).where(isHold(place.organizationUuid, place.caseUuid)).returning({ at: legalHolds.placedAt });
  if (changed.length === 0) return false;
  const action = placed ? 'legal-hold.place' : 'legal-hold.release';
  await recordAudit(transaction, { by, organizationUuid: place.organizationUuid, action, target, details: { reason } });
  return true;
}
