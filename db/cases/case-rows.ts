import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import type { Transaction } from '../client.js';
import { currentName } from '../identity/people.js';
import { caseAlerts, cases } from '../schema/index.js';
import { inOrganization } from '../scope.js';

export type CaseRow = typeof cases.$inferSelect;
export type CaseChanges = Partial<Omit<CaseRow, 'severityRank'>>;

const columns = { ...getTableColumns(cases), assignee: currentName(cases.assigneeUuid, cases.assignee) };

/** null where the scope has no such case. */
export async function lockCaseRow(transaction: Transaction, scope: string | null, caseId: string): Promise<CaseRow | null> {
  const [row] = await transaction
    .select(columns)
    .from(cases)
    .where(and(eq(cases.caseId, caseId), inOrganization(cases.organizationUuid, scope)))
    .for('no key update');
  return row ?? null;
}

export async function lockCaseByUuid(transaction: Transaction, caseUuid: string): Promise<CaseRow | null> {
  const [row] = await transaction.select(columns).from(cases).where(eq(cases.caseUuid, caseUuid)).for('no key update');
  return row ?? null;
}

/** Locks alerts before cases, each in the order of their keys, as the end of an investigation does, so that no deadlock occurs. */
export async function lockCasesWithAlerts(
  transaction: Transaction,
  scope: string | null,
  caseIds: readonly string[],
): Promise<Map<string, CaseRow>> {
  const visible = await transaction
    .select({ caseUuid: cases.caseUuid })
    .from(cases)
    .where(and(inArray(cases.caseId, [...caseIds]), inOrganization(cases.organizationUuid, scope)));
  const caseUuids = visible.map(({ caseUuid }) => caseUuid);
  await transaction
    .select({ alertUuid: caseAlerts.alertUuid })
    .from(caseAlerts)
    .where(inArray(caseAlerts.caseUuid, caseUuids))
    .orderBy(caseAlerts.alertUuid)
    .for('no key update');
  const rows = await transaction
    .select(columns)
    .from(cases)
    .where(inArray(cases.caseUuid, caseUuids))
    .orderBy(cases.caseUuid)
    .for('no key update');
  return new Map(rows.map((row) => [row.caseId, row]));
}

export async function updateCaseRow(transaction: Transaction, caseUuid: string, changes: CaseChanges): Promise<void> {
  await transaction.update(cases).set(changes).where(eq(cases.caseUuid, caseUuid));
}

/** Moves the alerts to another case and stores their origin. Cases merged into the source now belong to the target. */
export async function moveAlerts(transaction: Transaction, fromUuid: string, toUuid: string): Promise<number> {
  const moved = await transaction
    .update(caseAlerts)
    .set({ caseUuid: toUuid, homeCaseUuid: sql`coalesce(${caseAlerts.homeCaseUuid}, ${caseAlerts.caseUuid})` })
    .where(eq(caseAlerts.caseUuid, fromUuid))
    .returning({ alertUuid: caseAlerts.alertUuid });
  await transaction.update(cases).set({ mergedInto: toUuid }).where(eq(cases.mergedInto, fromUuid));
  return moved.length;
}

/** Moves its own alerts back to the case. */
export async function returnAlerts(transaction: Transaction, fromUuid: string, toUuid: string): Promise<number> {
  const returned = await transaction
    .update(caseAlerts)
    .set({ caseUuid: toUuid, homeCaseUuid: null })
    .where(and(eq(caseAlerts.caseUuid, fromUuid), eq(caseAlerts.homeCaseUuid, toUuid)))
    .returning({ alertUuid: caseAlerts.alertUuid });
  return returned.length;
}

/** The case that has the alerts of a merged case; null where the scope has no such case, or it is not merged. */
export async function findMergeTarget(transaction: Transaction, scope: string | null, caseId: string): Promise<string | null> {
  const [found] = await transaction
    .select({ mergedInto: cases.mergedInto })
    .from(cases)
    .where(and(eq(cases.caseId, caseId), inOrganization(cases.organizationUuid, scope)));
  return found?.mergedInto ? readCaseId(transaction, found.mergedInto) : null;
}

export async function readCaseId(transaction: Transaction, caseUuid: string): Promise<string> {
  const [row] = await transaction.select({ caseId: cases.caseId }).from(cases).where(eq(cases.caseUuid, caseUuid));
  return row?.caseId ?? '';
}
