import { and, eq, sql } from 'drizzle-orm';
import { type ClockKind, SlaTimes } from '../../domain/sla/clock.js';
import type { Db, PgClient } from '../client.js';
import { caseClocks, cases } from '../schema/index.js';
import { readPolicy } from './policies.js';

export interface ClockRef {
  readonly caseUuid: string;
  readonly caseId: string;
  readonly kind: ClockKind;
}

export async function listStaleClocks(pg: PgClient, limit: number): Promise<ClockRef[]> {
  return pg<ClockRef[]>`
    select case_uuid as "caseUuid", case_id as "caseId", kind from case_clocks join cases using (case_uuid)
    where is_stale order by case_uuid limit ${limit}`;
}

/** A case that closes in the second of its due time closes in time, so a breach begins a second later. */
const isOver = (pg: PgClient) => pg`due_at <= now() - interval '1 second' and breached_at is null and stopped_at is null and not is_stale`;
const isClose = (pg: PgClient) =>
  pg`warn_at <= now() and due_at > now() and warned_at is null and breached_at is null and stopped_at is null and not is_stale`;

export async function listClocksToMark(pg: PgClient, limit: number): Promise<{ over: ClockRef[]; close: ClockRef[] }> {
  const list = (condition: ReturnType<typeof isOver>, order: 'due_at' | 'warn_at') => pg<ClockRef[]>`
    select case_uuid as "caseUuid", case_id as "caseId", kind from case_clocks join cases using (case_uuid)
    where ${condition} order by ${pg(order)} limit ${limit}`;
  return { over: await list(isOver(pg), 'due_at'), close: await list(isClose(pg), 'warn_at') };
}

/** The condition is checked again, so that of several processes one writes the event. */
export async function markBreached(pg: PgClient, { caseUuid, kind }: ClockRef): Promise<void> {
  await pg`update case_clocks set breached_at = due_at where case_uuid = ${caseUuid} and kind = ${kind} and ${isOver(pg)}`;
}

export async function markDueSoon(pg: PgClient, { caseUuid, kind }: ClockRef): Promise<void> {
  await pg`update case_clocks set warned_at = now() where case_uuid = ${caseUuid} and kind = ${kind} and ${isClose(pg)}`;
}

/**
 * Computes the due times of one clock. A clock that has stopped too late is breached at once. A clock that only the new policy makes
 * late is breached without an event.
 */
export async function computeClock(db: Db, { caseUuid, kind }: ClockRef): Promise<void> {
  await db.transaction(async (transaction) => {
    const isClock = and(eq(caseClocks.caseUuid, caseUuid), eq(caseClocks.kind, kind));
    const [clock] = await transaction.select().from(caseClocks).where(and(isClock, caseClocks.isStale)).for('update', { skipLocked: true });
    if (!clock) return;
    // Read after the lock: a later change of the severity waits for it, and marks the clock again.
    const [found] = await transaction.select({ severity: cases.severity }).from(cases).where(eq(cases.caseUuid, caseUuid));
    const policy = await readPolicy(transaction, clock.organizationUuid);
    const { dueAt, warnAt } = new SlaTimes(policy).compute(clock, found?.severity ?? null);
    const savedAt = policy.modified_at ?? 0;
    const isLateByPolicy = dueAt !== null && dueAt <= savedAt && (clock.dueAt === null || clock.dueAt > savedAt);
    if (isLateByPolicy) await transaction.execute(sql`set local alert_investigator.without_events = 'on'`);
    const isBreached = dueAt !== null && (isLateByPolicy || (clock.stoppedAt !== null && clock.stoppedAt > dueAt));
    const isWarningAhead = warnAt === null || warnAt * 1000 > Date.now();
    await transaction
      .update(caseClocks)
      .set({
        ...{ dueAt, warnAt, isStale: false },
        ...(isWarningAhead ? { warnedAt: null } : {}),
        ...(isBreached ? { breachedAt: dueAt } : {}),
      })
      .where(isClock);
  });
}
