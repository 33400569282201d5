import { and, asc, count, eq, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { alerts, followUps } from '../schema/index.js';
import type { InvestigationRef } from './lifecycle.js';

/** null where a newer investigation exists. */
export async function lockInvestigatedAlert(transaction: Transaction, ref: InvestigationRef): Promise<string | null> {
  const [alert] = await transaction
    .select({ alertUuid: alerts.alertUuid })
    .from(alerts)
    .where(and(eq(alerts.alertId, ref.alertId), eq(alerts.investigationNo, ref.investigationNo)))
    .for('no key update');
  return alert?.alertUuid ?? null;
}

export async function findFollowUp(transaction: Transaction, alertUuid: string, ref: InvestigationRef) {
  const [present] = await transaction.select().from(followUps).where(matchesInvestigation(alertUuid, ref));
  return present ?? null;
}

/** Replaces the follow-up of the same investigation. */
export async function upsertFollowUp(transaction: Transaction, row: typeof followUps.$inferInsert): Promise<void> {
  await transaction
    .insert(followUps)
    .values(row)
    .onConflictDoUpdate({ target: [followUps.alertUuid, followUps.investigationNo], set: { endedAt: null, outcome: null, ...row } });
}

export async function countFollowUps(transaction: Transaction, alertUuid: string, which: 'by playbook' | 'to ask again'): Promise<number> {
  const [found] = await transaction
    .select({ count: count() })
    .from(followUps)
    .where(and(eq(followUps.alertUuid, alertUuid), which === 'by playbook' ? isNull(followUps.waitsFor) : isNotNull(followUps.waitsFor)));
  return found?.count ?? 0;
}

function matchesInvestigation(alertUuid: string, { investigationNo }: InvestigationRef) {
  return and(eq(followUps.alertUuid, alertUuid), eq(followUps.investigationNo, investigationNo));
}

/** With the newest investigation of its alert. null where there is no such follow-up. */
export async function lockFollowUp(transaction: Transaction, ref: InvestigationRef) {
  const [due] = await transaction
    .select({ followUp: followUps, newestNo: alerts.investigationNo, alertCreatedAt: alerts.createdAt })
    .from(followUps)
    .innerJoin(alerts, eq(alerts.alertUuid, followUps.alertUuid))
    .where(and(eq(alerts.alertId, ref.alertId), eq(followUps.investigationNo, ref.investigationNo)))
    .for('update');
  return due ?? null;
}

/** Does nothing where the follow-up has ended. */
export async function endFollowUp(
  db: Db | Transaction,
  { alertUuid, ...ref }: InvestigationRef & { readonly alertUuid: string },
  { at, outcome }: { at: number; outcome: string },
): Promise<void> {
  await db
    .update(followUps)
    .set({ endedAt: at, outcome })
    .where(and(matchesInvestigation(alertUuid, ref), isNull(followUps.endedAt)));
}

export interface OpenFollowUp extends InvestigationRef {
  readonly alertUuid: string;
  readonly asksAgain: boolean;
}

const asksAgain = sql<boolean>`${followUps.waitsFor} is not null`;

interface Page {
  readonly after: string | null;
  readonly limit: number;
}

export function toFollowUpKey({ alertUuid, investigationNo }: OpenFollowUp): string {
  return `${alertUuid}/${investigationNo}`;
}

/** In the order of the key, so that rows that stay open do not hide others. */
function isAfter(key: string | null): SQL | undefined {
  const [alertUuid, investigationNo] = key?.split('/') ?? [];
  if (alertUuid === undefined) return undefined;
  return sql`(${followUps.alertUuid}, ${followUps.investigationNo}) > (${alertUuid}::uuid, ${investigationNo}::int)`;
}

const byKey = [asc(followUps.alertUuid), asc(followUps.investigationNo)];

/** Overdue follow-ups: the process that had to start them may have died. */
export async function listOverdueFollowUps(
  db: Db,
  { lateBySeconds, after, limit }: Page & { readonly lateBySeconds: number },
): Promise<OpenFollowUp[]> {
  return db
    .select({ alertUuid: followUps.alertUuid, alertId: alerts.alertId, investigationNo: followUps.investigationNo, asksAgain })
    .from(followUps)
    .innerJoin(alerts, eq(alerts.alertUuid, followUps.alertUuid))
    .where(and(isNull(followUps.endedAt), lt(followUps.dueAt, nowSeconds() - lateBySeconds), isAfter(after)))
    .orderBy(...byKey)
    .limit(limit);
}

/** Follow-ups whose third party has answered another question of the same skill since they were planned. */
export async function listAnswerableFollowUps(db: Db, { after, limit }: Page): Promise<OpenFollowUp[]> {
  // A result id begins with its time, so the results since the plan are a range of the index.
  const firstResult = sql`(lpad(to_hex((extract(epoch from ${followUps.createdAt}) * 1000)::bigint + 1000), 12, '0') || repeat('0', 20))::uuid`;
  return db
    .select({ alertUuid: followUps.alertUuid, alertId: alerts.alertId, investigationNo: followUps.investigationNo, asksAgain })
    .from(followUps)
    .innerJoin(alerts, eq(alerts.alertUuid, followUps.alertUuid))
    .where(
      and(
        isNull(followUps.endedAt),
        isAfter(after),
        sql`exists (
          select from jsonb_to_recordset(${followUps.waitsFor}) as waited ("connectionId" uuid, "skillKey" text, "startsEarly" boolean)
            join skill_results on skill_results.connection_uuid = waited."connectionId" and skill_results.skill_key = waited."skillKey"
          where waited."startsEarly" and skill_results.result_uuid >= ${firstResult} and skill_results.status = 'done')`,
      ),
    )
    .orderBy(...byKey)
    .limit(limit);
}

export async function listFollowUpsOf(db: Db | Transaction, connectionUuid: string, { after, limit }: Page): Promise<OpenFollowUp[]> {
  return db
    .select({ alertUuid: followUps.alertUuid, alertId: alerts.alertId, investigationNo: followUps.investigationNo, asksAgain })
    .from(followUps)
    .innerJoin(alerts, eq(alerts.alertUuid, followUps.alertUuid))
    .where(
      and(
        isNull(followUps.endedAt),
        isAfter(after),
        sql`${followUps.waitsFor} @> ${JSON.stringify([{ connectionId: connectionUuid }])}::text::jsonb`,
      ),
    )
    .orderBy(...byKey)
    .limit(limit);
}
