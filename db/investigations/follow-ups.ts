import { and, asc, count, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { UnansweredQuestion } from '../../domain/investigation/investigation.js';
import { clip } from '../../domain/text.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { newUuid } from '../ids.js';
import { alerts, followUps } from '../schema/index.js';
import { lockHome } from './investigations.js';
import { addToTimeline, type InvestigationRef, queueNext } from './lifecycle.js';

/** One more follow-up after this many rarely changes the verdict. */
const FOLLOW_UPS_AT_MOST = 10;

const MINUTE_SECONDS = 60;
/** The waits before a question is asked again. The last one repeats. */
const ASK_AGAIN_AFTER_SECONDS = [5, 15, 60, 4 * 60, 24 * 60].map((minutes) => minutes * MINUTE_SECONDS);
/** The answers of an alert this young are still valid, so asking again asks only what has no answer. */
const REUSE_WITHIN_SECONDS = 2 * 3600;
const NAMED_IN_REASON = 5;

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
    if ((await countFollowUps(transaction, alertUuid, 'by playbook')) >= FOLLOW_UPS_AT_MOST) return null;
    const now = nowSeconds();
    const dueAt = now + plan.afterHours * 3600;
    const reason = clip(plan.reason, 1000);
    await transaction.insert(followUps).values({ alertUuid, investigationNo: ref.investigationNo, reason, dueAt, createdAt: now });
    await announce(transaction, alertUuid, ref, { dueAt, reason });
    return { dueAt, isNew: true };
  });
}

/**
 * Plans to ask again what a third party could not answer, later each time. Replaces the later follow-up of the same
 * investigation: the next investigation plans its own. Returns the due time; null where the maximum is reached.
 */
export async function planToAskAgain(
  db: Db,
  ref: InvestigationRef,
  unanswered: readonly UnansweredQuestion[],
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
    if (present?.waitsFor) return present.endedAt === null ? { dueAt: present.dueAt, isNew: false } : null;
    const earlier = await countFollowUps(transaction, alertUuid, 'to ask again');
    if (earlier >= FOLLOW_UPS_AT_MOST) return null;
    const now = nowSeconds();
    const waitSeconds = ASK_AGAIN_AFTER_SECONDS[Math.min(earlier, ASK_AGAIN_AFTER_SECONDS.length - 1)] ?? 0;
    // The jitter keeps the alerts of one outage from asking all at once.
    const dueAt = now + Math.round(waitSeconds * (1 + Math.random() / 5));
    const reason = clip(describeUnanswered(unanswered), 1000);
    const { investigationNo } = ref;
    const row = { reason, waitsFor: [...unanswered], dueAt, createdAt: now, endedAt: null, outcome: null };
    await transaction
      .insert(followUps)
      .values({ alertUuid, investigationNo, ...row })
      .onConflictDoUpdate({ target: [followUps.alertUuid, followUps.investigationNo], set: row });
    await announce(transaction, alertUuid, ref, { dueAt, reason });
    return { dueAt, isNew: true };
  });
}

function describeUnanswered(unanswered: readonly UnansweredQuestion[]): string {
  const named = [...new Set(unanswered.map(({ instanceName, skillId }) => `${skillId} (${instanceName})`))];
  const others = named.length > NAMED_IN_REASON ? ` and ${named.length - NAMED_IN_REASON} more` : '';
  return `no answer to ${named.slice(0, NAMED_IN_REASON).join(', ')}${others}`;
}

async function countFollowUps(transaction: Transaction, alertUuid: string, which: 'by playbook' | 'to ask again'): Promise<number> {
  const [found] = await transaction
    .select({ count: count() })
    .from(followUps)
    .where(and(eq(followUps.alertUuid, alertUuid), which === 'by playbook' ? isNull(followUps.waitsFor) : isNotNull(followUps.waitsFor)));
  return found?.count ?? 0;
}

async function announce(
  transaction: Transaction,
  alertUuid: string,
  ref: InvestigationRef,
  { dueAt, reason }: { dueAt: number; reason: string },
): Promise<void> {
  const home = await lockHome(transaction, alertUuid);
  const when = `${new Date(dueAt * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  if (home !== null)
    await addToTimeline(transaction, home, {
      kind: 'follow-up',
      by: null,
      text: `Follow-up investigation of ${ref.alertId} planned for ${when}: ${reason}`,
    });
}

function matchesInvestigation(alertUuid: string, { investigationNo }: InvestigationRef) {
  return and(eq(followUps.alertUuid, alertUuid), eq(followUps.investigationNo, investigationNo));
}

/** Requests the next investigation, unless a newer one exists. Returns the outcome, also when it is called again. */
export async function beginFollowUp(db: Db, ref: InvestigationRef): Promise<string> {
  return db.transaction(async (transaction) => {
    const [due] = await transaction
      .select({ followUp: followUps, newestNo: alerts.investigationNo, alertCreatedAt: alerts.createdAt })
      .from(followUps)
      .innerJoin(alerts, eq(alerts.alertUuid, followUps.alertUuid))
      .where(and(eq(alerts.alertId, ref.alertId), eq(followUps.investigationNo, ref.investigationNo)))
      .for('update');
    if (!due) return 'There is no such follow-up.';
    const { followUp, newestNo, alertCreatedAt } = due;
    if (followUp.endedAt !== null) return followUp.outcome ?? '';
    const end = async (outcome: string): Promise<string> => {
      await transaction.update(followUps).set({ endedAt: nowSeconds(), outcome }).where(matchesInvestigation(followUp.alertUuid, ref));
      return outcome;
    };
    if (newestNo !== ref.investigationNo) return end(`Skipped: investigation ${newestNo} was requested first.`);
    const how = `, as planned by investigation ${ref.investigationNo}: ${followUp.reason}`;
    const mayReuse = followUp.waitsFor !== null && nowSeconds() - alertCreatedAt < REUSE_WITHIN_SECONDS;
    const reuseBefore = mayReuse ? newUuid() : null;
    const next = await queueNext(transaction, ref, { by: null, reuseBefore, how, details: { follow_up: true } });
    if (next.outcome === 'running') return end(`Skipped: investigation ${ref.investigationNo} was still running.`);
    return end(`Requested investigation ${next.investigationNo}.`);
  });
}

/** Ends a follow-up that will not start. */
export async function abandonFollowUp(db: Db, { alertUuid, ...ref }: OpenFollowUp, outcome: string): Promise<void> {
  await db
    .update(followUps)
    .set({ endedAt: nowSeconds(), outcome })
    .where(and(matchesInvestigation(alertUuid, ref), isNull(followUps.endedAt)));
}

export interface OpenFollowUp extends InvestigationRef {
  readonly alertUuid: string;
  readonly asksAgain: boolean;
}

const asksAgain = sql<boolean>`${followUps.waitsFor} is not null`;

/** Overdue follow-ups: the process that had to start them may have died. */
export async function listOverdueFollowUps(db: Db, lateBySeconds: number, limit: number): Promise<OpenFollowUp[]> {
  return db
    .select({ alertUuid: followUps.alertUuid, alertId: alerts.alertId, investigationNo: followUps.investigationNo, asksAgain })
    .from(followUps)
    .innerJoin(alerts, eq(alerts.alertUuid, followUps.alertUuid))
    .where(and(isNull(followUps.endedAt), lt(followUps.dueAt, nowSeconds() - lateBySeconds)))
    .orderBy(asc(followUps.dueAt))
    .limit(limit);
}

/** Follow-ups whose third party has answered another question of the same skill since they were planned. */
export async function listAnswerableFollowUps(db: Db, limit: number): Promise<OpenFollowUp[]> {
  // A result id begins with its time, so the results since the plan are a range of the index.
  const firstResult = sql`(lpad(to_hex((extract(epoch from ${followUps.createdAt}) * 1000)::bigint + 1000), 12, '0') || repeat('0', 20))::uuid`;
  return db
    .select({ alertUuid: followUps.alertUuid, alertId: alerts.alertId, investigationNo: followUps.investigationNo, asksAgain })
    .from(followUps)
    .innerJoin(alerts, eq(alerts.alertUuid, followUps.alertUuid))
    .where(
      and(
        isNull(followUps.endedAt),
        sql`exists (
          select from jsonb_to_recordset(${followUps.waitsFor}) as waited ("connectionId" uuid, "skillId" text, "startsEarly" boolean)
            join skill_results on skill_results.connection_uuid = waited."connectionId" and skill_results.skill_id = waited."skillId"
          where waited."startsEarly" and skill_results.result_uuid >= ${firstResult} and skill_results.status = 'done')`,
      ),
    )
    .orderBy(asc(followUps.dueAt))
    .limit(limit);
}

export async function listFollowUpsOf(db: Db, connectionUuid: string, limit: number): Promise<OpenFollowUp[]> {
  return db
    .select({ alertUuid: followUps.alertUuid, alertId: alerts.alertId, investigationNo: followUps.investigationNo, asksAgain })
    .from(followUps)
    .innerJoin(alerts, eq(alerts.alertUuid, followUps.alertUuid))
    .where(and(isNull(followUps.endedAt), sql`${followUps.waitsFor} @> ${JSON.stringify([{ connectionId: connectionUuid }])}::text::jsonb`))
    .orderBy(asc(followUps.dueAt))
    .limit(limit);
}
