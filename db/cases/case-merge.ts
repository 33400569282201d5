import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Principal } from '../../domain/identity/identity.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { recordAudit } from '../identity/audit.js';
import { spellOrganizationCode } from '../identity/organizations.js';
import { updateCaseVerdict } from '../investigations/investigations.js';
import { addToTimeline } from '../investigations/lifecycle.js';
import { caseAlerts, cases } from '../schema/index.js';

type Row = typeof cases.$inferSelect;

/** `caseId`: the case that has the alerts now. `conflict` carries the reason as text for the user. */
export type MergeOutcome =
  | { outcome: 'done'; caseId: string }
  | { outcome: 'unknown' }
  | { outcome: 'unknown-target' }
  | { outcome: 'conflict'; why: string };

/** Moves the alerts of a case to another case and stores their origin. */
export async function mergeCase(db: Db, by: Principal, caseId: string, given: { into: string; reason: string }): Promise<MergeOutcome> {
  const { reason } = given;
  return db.transaction(async (transaction) => {
    const into = await spellCaseId(transaction, given.into);
    const found = await lockCases(transaction, by, [caseId, into]);
    const source = found.get(caseId);
    const target = found.get(into);
    if (!source) return { outcome: 'unknown' };
    if (!target) return { outcome: 'unknown-target' };
    const conflict = await whyNotMerged(transaction, source, target);
    if (conflict !== null) return { outcome: 'conflict', why: conflict };
    const now = nowSeconds();
    const moved = await transaction
      .update(caseAlerts)
      .set({ caseUuid: target.caseUuid, homeCaseUuid: sql`coalesce(${caseAlerts.homeCaseUuid}, ${caseAlerts.caseUuid})` })
      .where(eq(caseAlerts.caseUuid, source.caseUuid))
      .returning({ alertUuid: caseAlerts.alertUuid });
    // Cases merged into the source now belong to the target, and can be unmerged from it one by one.
    await transaction.update(cases).set({ mergedInto: target.caseUuid }).where(eq(cases.mergedInto, source.caseUuid));
    await transaction
      .update(cases)
      .set({
        mergedInto: target.caseUuid,
        statusBeforeMerge: source.status,
        status: 'closed',
        closedAt: source.closedAt ?? now,
        modifiedAt: now,
      })
      .where(eq(cases.caseUuid, source.caseUuid));
    await addToTimeline(transaction, source.caseUuid, { kind: 'merge', by: by.name, text: `Merged into ${into}: ${reason}` });
    await addToTimeline(transaction, target.caseUuid, {
      kind: 'merge',
      by: by.name,
      text: `${caseId} was merged into this case (${describeAlerts(moved.length)}): ${reason}`,
    });
    await updateCaseVerdict(transaction, target.caseUuid, { reopens: true });
    await recordAudit(transaction, {
      by,
      organizationUuid: source.organizationUuid,
      action: 'case.merge',
      target: caseId,
      details: { into },
    });
    return { outcome: 'done', caseId: into };
  });
}

async function whyNotMerged(transaction: Transaction, source: Row, target: Row): Promise<string | null> {
  if (source.caseUuid === target.caseUuid) return 'A case cannot be merged into itself.';
  if (source.organizationUuid !== target.organizationUuid) return 'Cases of two organizations cannot be merged.';
  if (source.mergedInto !== null)
    return `${source.caseId} is already merged into ${await readCaseId(transaction, source.mergedInto)}. Unmerge it first.`;
  if (target.mergedInto !== null)
    return `${target.caseId} is itself merged into ${await readCaseId(transaction, target.mergedInto)}. Name that case instead.`;
  return null;
}

/** Moves its own alerts back to a merged case and restores its status. */
export async function unmergeCase(db: Db, by: Principal, caseId: string, { reason }: { reason: string }): Promise<MergeOutcome> {
  return db.transaction(async (transaction) => {
    const [known] = await transaction
      .select()
      .from(cases)
      .where(isVisible(by, [caseId]));
    const targetId = known?.mergedInto ? await readCaseId(transaction, known.mergedInto) : null;
    const found = await lockCases(transaction, by, [caseId, ...(targetId === null ? [] : [targetId])]);
    const source = found.get(caseId);
    const target = targetId === null ? undefined : found.get(targetId);
    if (!source) return { outcome: 'unknown' };
    if (!target || source.mergedInto !== target.caseUuid) return { outcome: 'conflict', why: `${caseId} is not merged into another case.` };
    const returned = await transaction
      .update(caseAlerts)
      .set({ caseUuid: source.caseUuid, homeCaseUuid: null })
      .where(and(eq(caseAlerts.caseUuid, target.caseUuid), eq(caseAlerts.homeCaseUuid, source.caseUuid)))
      .returning({ alertUuid: caseAlerts.alertUuid });
    const status = source.statusBeforeMerge ?? 'open';
    await transaction
      .update(cases)
      .set({
        mergedInto: null,
        statusBeforeMerge: null,
        status,
        closedAt: status === 'closed' ? source.closedAt : null,
        modifiedAt: nowSeconds(),
      })
      .where(eq(cases.caseUuid, source.caseUuid));
    await addToTimeline(transaction, source.caseUuid, {
      kind: 'merge',
      by: by.name,
      text: `Unmerged from ${target.caseId}: ${reason}`,
    });
    await addToTimeline(transaction, target.caseUuid, {
      kind: 'merge',
      by: by.name,
      text: `${caseId} was unmerged from this case (${describeAlerts(returned.length)}): ${reason}`,
    });
    // Unmerging changes the verdict as expected, so a closed case stays closed.
    for (const each of [source, target]) await updateCaseVerdict(transaction, each.caseUuid, { reopens: false });
    await recordAudit(transaction, {
      by,
      organizationUuid: source.organizationUuid,
      action: 'case.unmerge',
      target: caseId,
      details: { from: target.caseId },
    });
    return { outcome: 'done', caseId };
  });
}

/** Locks alerts before cases, each in the order of their keys, as `conclude` does, so that no deadlock occurs. */
async function lockCases(transaction: Transaction, by: Principal, caseIds: readonly string[]): Promise<Map<string, Row>> {
  const visible = await transaction.select({ caseUuid: cases.caseUuid }).from(cases).where(isVisible(by, caseIds));
  const caseUuids = visible.map(({ caseUuid }) => caseUuid);
  await transaction
    .select({ alertUuid: caseAlerts.alertUuid })
    .from(caseAlerts)
    .where(inArray(caseAlerts.caseUuid, caseUuids))
    .orderBy(caseAlerts.alertUuid)
    .for('no key update');
  const rows = await transaction
    .select()
    .from(cases)
    .where(inArray(cases.caseUuid, caseUuids))
    .orderBy(cases.caseUuid)
    .for('no key update');
  return new Map(rows.map((row) => [row.caseId, row]));
}

function isVisible(by: Principal, caseIds: readonly string[]) {
  return and(
    inArray(cases.caseId, [...caseIds]),
    by.organizationUuid === null ? undefined : eq(cases.organizationUuid, by.organizationUuid),
  );
}

const CASE_ID = /^(.+)-case-(\d+)$/i;

/** The id as it is stored: people type `demo-case-12` too. */
async function spellCaseId(transaction: Transaction, typed: string): Promise<string> {
  const [, code, number] = CASE_ID.exec(typed.trim()) ?? [];
  const stored = code === undefined ? null : await spellOrganizationCode(transaction, code);
  return stored === null ? typed : `${stored}-CASE-${number}`;
}

async function readCaseId(transaction: Transaction, caseUuid: string): Promise<string> {
  const [row] = await transaction.select({ caseId: cases.caseId }).from(cases).where(eq(cases.caseUuid, caseUuid));
  return row?.caseId ?? '';
}

function describeAlerts(count: number): string {
  return count === 1 ? '1 alert' : `${count} alerts`;
}
