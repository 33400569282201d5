import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { ClockKind } from '../../domain/sla/clock.js';
import type { PgClient, Transaction } from '../client.js';
import { caseClocks, cases } from '../schema/index.js';

export interface ClockRef {
  readonly caseUuid: string;
  readonly caseId: string;
  readonly kind: ClockKind;
}

function isClock({ caseUuid, kind }: Pick<ClockRef, 'caseUuid' | 'kind'>): SQL | undefined {
  return and(eq(caseClocks.caseUuid, caseUuid), eq(caseClocks.kind, kind));
}

export async function listStaleClocks(pg: PgClient, limit: number): Promise<ClockRef[]> {
  return pg<ClockRef[]>`
    select case_uuid as "caseUuid", case_id as "caseId", kind from case_clocks join cases using (case_uuid)
    where is_stale order by case_uuid limit ${limit}`;
}

/** A case that closes in the second of its due time closes in time, so a breach begins a second later. */
const IS_OVER = "due_at <= now() - interval '1 second' and breached_at is null and stopped_at is null and not is_stale";
const IS_CLOSE =
  'warn_at <= now() and due_at > now() and warned_at is null and breached_at is null and stopped_at is null and not is_stale';

export async function listClocksToMark(pg: PgClient, limit: number): Promise<{ over: ClockRef[]; close: ClockRef[] }> {
  const list = (condition: string, order: 'due_at' | 'warn_at') => pg<ClockRef[]>`
    select case_uuid as "caseUuid", case_id as "caseId", kind from case_clocks join cases using (case_uuid)
    where ${pg.unsafe(condition)} order by ${pg(order)} limit ${limit}`;
  return { over: await list(IS_OVER, 'due_at'), close: await list(IS_CLOSE, 'warn_at') };
}

/** Checks the condition again. Returns the due time; null where another process marked the clock, or it changed. */
export async function markBreached(transaction: Transaction, clock: ClockRef): Promise<number | null> {
  return mark(transaction, clock, sql`due_at`, IS_OVER);
}

export async function markDueSoon(transaction: Transaction, clock: ClockRef): Promise<number | null> {
  return mark(transaction, clock, null, IS_CLOSE);
}

async function mark(transaction: Transaction, clock: ClockRef, breachedAt: SQL | null, condition: string): Promise<number | null> {
  const [marked] = await transaction
    .update(caseClocks)
    .set(breachedAt === null ? { warnedAt: sql`now()` } : { breachedAt })
    .where(and(isClock(clock), sql.raw(condition)))
    .returning({ dueAt: caseClocks.dueAt });
  return marked?.dueAt ?? null;
}

/** With the severity of the case. null where the clock is not stale, or another process computes it. */
export async function lockStaleClock(transaction: Transaction, { caseUuid, kind }: ClockRef) {
  const [clock] = await transaction
    .select()
    .from(caseClocks)
    .where(and(isClock({ caseUuid, kind }), caseClocks.isStale))
    .for('update', { skipLocked: true });
  if (!clock) return null;
  // Read after the lock: a later change of the severity waits for it, and marks the clock again.
  const [found] = await transaction.select({ severity: cases.severity }).from(cases).where(eq(cases.caseUuid, caseUuid));
  return { ...clock, severity: found?.severity ?? null };
}

export async function updateClock(
  transaction: Transaction,
  clock: ClockRef,
  changes: Partial<typeof caseClocks.$inferInsert>,
): Promise<void> {
  await transaction.update(caseClocks).set(changes).where(isClock(clock));
}

/** Returns those that are breached with this. A stale clock may have another due time, so its breach is found when that is computed. */
export async function stopRunningClocks(
  transaction: Transaction,
  { caseUuid, kinds, at }: { caseUuid: string; kinds: readonly ClockKind[]; at: number },
): Promise<{ kind: ClockKind; dueAt: number }[]> {
  const rows = await transaction.execute<{ kind: ClockKind; dueAt: number }>(sql`
    with running as (
      select case_uuid, kind, due_at, coalesce(due_at < to_timestamp(${at}) and not is_stale and breached_at is null, false) as is_late
      from case_clocks where case_uuid = ${caseUuid} and kind in ${kinds} and stopped_at is null order by kind for no key update
    ), stopped as (
      update case_clocks set stopped_at = to_timestamp(${at}), breached_at = case when is_late then running.due_at else breached_at end
      from running where case_clocks.case_uuid = running.case_uuid and case_clocks.kind = running.kind
    )
    select kind, extract(epoch from due_at)::float8 as "dueAt" from running where is_late`);
  return [...rows];
}

/** The time since the clock stopped is a pause. A case that was closed before the service had clocks starts one. */
export async function resumeCloseClock(
  transaction: Transaction,
  { caseUuid, organizationUuid, at }: { caseUuid: string; organizationUuid: string; at: number },
): Promise<void> {
  await transaction.execute(sql`
    insert into case_clocks as clock (case_uuid, kind, organization_uuid, started_at, is_stale)
    values (${caseUuid}, 'close', ${organizationUuid}, to_timestamp(${at}), ${hasPolicy(organizationUuid)})
    on conflict (case_uuid, kind) do update set stopped_at = null, is_stale = clock.breached_at is null and excluded.is_stale,
      pauses = clock.pauses || jsonb_build_array(jsonb_build_array(
        extract(epoch from coalesce(clock.stopped_at, excluded.started_at))::bigint, extract(epoch from excluded.started_at)::bigint))`);
}

/** Lets the due times be computed again. Breached clocks keep theirs. */
export async function markClocksStale(
  transaction: Transaction,
  { caseUuid, organizationUuid, includesStopped }: { caseUuid: string; organizationUuid: string; includesStopped: boolean },
): Promise<void> {
  await transaction
    .update(caseClocks)
    .set({ isStale: true })
    .where(
      and(
        eq(caseClocks.caseUuid, caseUuid),
        isNull(caseClocks.breachedAt),
        includesStopped ? undefined : isNull(caseClocks.stoppedAt),
        hasPolicy(organizationUuid),
      ),
    );
}

function hasPolicy(organizationUuid: string): SQL {
  return sql`exists (select from sla_policies where sla_policies.organization_uuid = ${organizationUuid})`;
}

export async function markRunningClocksStale(transaction: Transaction, organizationUuid: string): Promise<void> {
  await transaction
    .update(caseClocks)
    .set({ isStale: true })
    .where(and(eq(caseClocks.organizationUuid, organizationUuid), isNull(caseClocks.stoppedAt), isNull(caseClocks.breachedAt)));
}
