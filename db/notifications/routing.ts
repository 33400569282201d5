import { asc, inArray, isNull, sql } from 'drizzle-orm';
import type { PgClient, Transaction } from '../client.js';
import { newUuid } from '../ids.js';
import { notificationDeliveries, notificationEvents } from '../schema/index.js';

const ROUTER_LOCK = 7_202_611_171;

export type NewDelivery = Pick<
  typeof notificationDeliveries.$inferInsert,
  'organizationUuid' | 'eventNo' | 'channelUuid' | 'subjectUuid' | 'isDigest' | 'notBefore'
>;
export type EventRow = typeof notificationEvents.$inferSelect;

/** False while another process routes. The lock ends with the transaction. */
export async function tryLockRouter(transaction: Transaction): Promise<boolean> {
  const [lock] = await transaction.execute<{ taken: boolean }>(sql`select pg_try_advisory_xact_lock(${ROUTER_LOCK}) as taken`);
  return lock?.taken ?? false;
}

/** Oldest first. */
export async function listUnroutedEvents(transaction: Transaction, limit: number): Promise<EventRow[]> {
  return transaction
    .select()
    .from(notificationEvents)
    .where(isNull(notificationEvents.routedAt))
    .orderBy(asc(notificationEvents.eventNo))
    .limit(limit);
}

export async function markRouted(transaction: Transaction, eventNos: readonly number[], routedAt: number): Promise<void> {
  await transaction
    .update(notificationEvents)
    .set({ routedAt })
    .where(inArray(notificationEvents.eventNo, [...eventNos]));
}

/** An event that does not wait takes earlier ones of its subject with it, because they keep their order. */
export async function bringForward(transaction: Transaction, eventNos: readonly number[]): Promise<void> {
  await transaction.execute(sql`
    with forward as (
      select earlier.delivery_uuid, min(coalesce(later.not_before, later.created_at)) as at
      from notification_deliveries as later
      join notification_deliveries as earlier using (channel_uuid, subject_uuid)
      where later.event_no in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(eventNos)}::text::jsonb)) and later.state = 'pending'
        and earlier.state = 'pending' and earlier.event_no < later.event_no
        and earlier.not_before > coalesce(later.not_before, later.created_at)
      group by earlier.delivery_uuid
    )
    update notification_deliveries as delivery set not_before = forward.at,
      next_attempt_at = case when next_attempt_at = not_before then forward.at else next_attempt_at end
    from forward where delivery.delivery_uuid = forward.delivery_uuid`);
}

/** Each delivery waits behind the pending ones of its subject; the worker makes the first one due. */
export async function insertDeliveries(
  transaction: Transaction,
  deliveries: readonly NewDelivery[],
  { now, forSeconds }: { now: number; forSeconds: number },
): Promise<string[]> {
  if (deliveries.length === 0) return [];
  const rows = deliveries.map((delivery) => ({
    ...delivery,
    deliveryUuid: newUuid(),
    nextAttemptAt: Number.POSITIVE_INFINITY,
    createdAt: now,
    expiresAt: (delivery.notBefore ?? now) + forSeconds,
  }));
  const added = await transaction
    .insert(notificationDeliveries)
    .values(rows)
    .onConflictDoNothing()
    .returning({ deliveryUuid: notificationDeliveries.deliveryUuid });
  return added.map(({ deliveryUuid }) => deliveryUuid);
}

/** Channels with a delivery that has been due for a while, or that waits behind no other: their run or its signal was lost. */
export async function listOverdueChannels(pg: PgClient, overdueSeconds: number): Promise<string[]> {
  const rows = await pg<{ channel: string }[]>`
    select channel_uuid as channel from notification_channels as channel where is_enabled and (blocked_until is null or blocked_until < now())
      and exists (
        select from notification_deliveries as delivery where delivery.channel_uuid = channel.channel_uuid and state = 'pending'
          and (next_attempt_at < now() - make_interval(secs => ${overdueSeconds})
            or (next_attempt_at = 'infinity' and created_at < now() - make_interval(secs => ${overdueSeconds}) and not exists (
              select from notification_deliveries as earlier where earlier.channel_uuid = delivery.channel_uuid
                and earlier.subject_uuid = delivery.subject_uuid and earlier.state = 'pending' and earlier.event_no < delivery.event_no))))`;
  return rows.map(({ channel }) => channel);
}
