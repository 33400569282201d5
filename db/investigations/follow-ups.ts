import { and, asc, count, eq, isNull, lt } from 'drizzle-orm';
import { clip } from '../../domain/text.js';
import type { Db } from '../client.js';
import { nowSeconds } from '../columns.js';
import { alerts, followUps } from '../schema/index.js';
import { lockHome } from './investigations.js';
import { addToTimeline, type InvestigationRef, queueNext } from './lifecycle.js';

/** One more follow-up after this many rarely changes the verdict. */
const FOLLOW_UPS_AT_MOST = 10;

/** At most one for each investigation. Returns its due time and whether this call created it; null where none is planned. */
export async function planFollowUp(
  db: Db,
  ref: InvestigationRef,
  plan: { afterHours: number; reason: string },
): Promise<{ dueAt: number; isNew: boolean } | null> {
  return db.transaction(async (transaction) => {
    const [alert] = await transaction
      .select({ alertUuid: alerts.alertUuid })
      .from(alerts)
      .where(and(eq(alerts.alertId, ref.alertId), eq(alerts.investigationNo, ref.investigationNo)))
      .for('no key update');
    if (!alert) return null;
    const { alertUuid } = alert;
    const [present] = await transaction.select().from(followUps).where(matchesInvestigation(alertUuid, ref));
    if (present) return present.endedAt === null ? { dueAt: present.dueAt, isNew: false } : null;
    const [planned] = await transaction.select({ count: count() }).from(followUps).where(eq(followUps.alertUuid, alertUuid));
    if ((planned?.count ?? 0) >= FOLLOW_UPS_AT_MOST) return null;
    const now = nowSeconds();
    const dueAt = now + plan.afterHours * 3600;
    const reason = clip(plan.reason, 1000);
    await transaction.insert(followUps).values({ alertUuid, investigationNo: ref.investigationNo, reason, dueAt, createdAt: now });
    const home = await lockHome(transaction, alertUuid);
    const when = `${new Date(dueAt * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    if (home !== null)
      await addToTimeline(transaction, home, {
        kind: 'follow-up',
        by: null,
        text: `Follow-up investigation of ${ref.alertId} planned for ${when}: ${reason}`,
      });
    return { dueAt, isNew: true };
  });
}

function matchesInvestigation(alertUuid: string, { investigationNo }: InvestigationRef) {
  return and(eq(followUps.alertUuid, alertUuid), eq(followUps.investigationNo, investigationNo));
}

/** Requests the next investigation, unless a newer one exists. Returns the outcome, also when it is called again. */
export async function beginFollowUp(db: Db, ref: InvestigationRef): Promise<string> {
  return db.transaction(async (transaction) => {
    const [due] = await transaction
      .select({ followUp: followUps, newestNo: alerts.investigationNo })
      .from(followUps)
      .innerJoin(alerts, eq(alerts.alertUuid, followUps.alertUuid))
      .where(and(eq(alerts.alertId, ref.alertId), eq(followUps.investigationNo, ref.investigationNo)))
      .for('update');
    if (!due) return 'There is no such follow-up.';
    const { followUp, newestNo } = due;
    if (followUp.endedAt !== null) return followUp.outcome ?? '';
    const end = async (outcome: string): Promise<string> => {
      await transaction.update(followUps).set({ endedAt: nowSeconds(), outcome }).where(matchesInvestigation(followUp.alertUuid, ref));
      return outcome;
    };
    if (newestNo !== ref.investigationNo) return end(`Skipped: investigation ${newestNo} was requested first.`);
    const how = `, as planned by investigation ${ref.investigationNo}: ${followUp.reason}`;
    const next = await queueNext(transaction, ref, { by: null, reuseBefore: null, how, details: { follow_up: true } });
    if (next.outcome === 'running') return end(`Skipped: investigation ${ref.investigationNo} was still running.`);
    return end(`Requested investigation ${next.investigationNo}.`);
  });
}

/** Ends a follow-up that will not start. */
export async function abandonFollowUp(db: Db, { alertUuid, ...ref }: OverdueFollowUp, outcome: string): Promise<void> {
  await db
    .update(followUps)
    .set({ endedAt: nowSeconds(), outcome })
    .where(and(matchesInvestigation(alertUuid, ref), isNull(followUps.endedAt)));
}

export interface OverdueFollowUp extends InvestigationRef {
  readonly alertUuid: string;
}

/** Overdue follow-ups: the process that had to start them may have died. */
export async function listOverdueFollowUps(db: Db, lateBySeconds: number, limit: number): Promise<OverdueFollowUp[]> {
  return db
    .select({ alertUuid: followUps.alertUuid, alertId: alerts.alertId, investigationNo: followUps.investigationNo })
    .from(followUps)
    .innerJoin(alerts, eq(alerts.alertUuid, followUps.alertUuid))
    .where(and(isNull(followUps.endedAt), lt(followUps.dueAt, nowSeconds() - lateBySeconds)))
    .orderBy(asc(followUps.dueAt))
    .limit(limit);
}
