import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { DELIVER_FOR_SECONDS } from '../../domain/notification/delivery.js';
import { matchesRule, withDecisions } from '../../domain/notification/rule.js';
import type { Db, PgClient, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { newUuid } from '../ids.js';
import { notificationChannels, notificationDeliveries, notificationEvents, notificationRules } from '../schema/index.js';

const ROUTER_LOCK = 7_202_611_171;

type NewDelivery = Pick<typeof notificationDeliveries.$inferInsert, 'organizationUuid' | 'eventNo' | 'channelUuid' | 'subjectUuid'>;

/**
 * Compares the oldest events with the rules and adds their deliveries. One process at a time does this, so that the deliveries of a
 * subject are added in the order of its events.
 */
export async function routeEvents(db: Db, limit: number): Promise<{ routed: number; channels: string[] }> {
  return db.transaction(async (transaction) => {
    const [lock] = await transaction.execute<{ taken: boolean }>(sql`select pg_try_advisory_xact_lock(${ROUTER_LOCK}) as taken`);
    if (!lock?.taken) return { routed: 0, channels: [] };
    const events = await transaction
      .select()
      .from(notificationEvents)
      .where(isNull(notificationEvents.routedAt))
      .orderBy(asc(notificationEvents.eventNo))
      .limit(limit);
    if (events.length === 0) return { routed: 0, channels: [] };
    const rules = await listActiveRules(transaction, [...new Set(events.map(({ organizationUuid }) => organizationUuid))]);
    const deliveries = events.flatMap((event) => {
      const matching = rules.filter((rule) => rule.organizationUuid === event.organizationUuid && matchesRule(rule, event));
      const channels = new Set(matching.map(({ channelUuid }) => channelUuid));
      return [...channels].map((channelUuid) => ({ ...pick(event), channelUuid }));
    });
    await addDeliveries(transaction, deliveries, DELIVER_FOR_SECONDS);
    const numbers = events.map(({ eventNo }) => eventNo);
    await transaction.update(notificationEvents).set({ routedAt: nowSeconds() }).where(inArray(notificationEvents.eventNo, numbers));
    return { routed: events.length, channels: [...new Set(deliveries.map(({ channelUuid }) => channelUuid))] };
  });
}

function pick({ organizationUuid, eventNo, subjectUuid }: typeof notificationEvents.$inferSelect) {
  return { organizationUuid, eventNo, subjectUuid };
}

async function listActiveRules(transaction: Transaction, organizationUuids: readonly string[]) {
  const rules = await transaction
    .select({
      organizationUuid: notificationRules.organizationUuid,
      channelUuid: notificationRules.channelUuid,
      kind: notificationChannels.kind,
      events: notificationRules.events,
      min_severity: notificationRules.minSeverity,
      verdicts: notificationRules.verdicts,
      assignee: notificationRules.assignee,
    })
    .from(notificationRules)
    .innerJoin(notificationChannels, eq(notificationChannels.channelUuid, notificationRules.channelUuid))
    .where(
      and(
        inArray(notificationRules.organizationUuid, [...organizationUuids]),
        eq(notificationRules.isEnabled, true),
        eq(notificationChannels.isEnabled, true),
      ),
    );
  return rules.map((rule) => ({ ...rule, events: rule.kind === 'webhook' ? rule.events : withDecisions(rule.events) }));
}

/** Each delivery waits behind the pending ones of its subject; the worker makes the first one due. */
export async function addDeliveries(transaction: Transaction, deliveries: readonly NewDelivery[], forSeconds: number): Promise<string[]> {
  if (deliveries.length === 0) return [];
  const now = nowSeconds();
  const rows = deliveries.map((delivery) => ({
    ...delivery,
    deliveryUuid: newUuid(),
    nextAttemptAt: 'infinity',
    createdAt: now,
    expiresAt: now + forSeconds,
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
            or (next_attempt_at = 'infinity' and created_at < now() - make_interval(secs => ${overdueSeconds}))))`;
  return rows.map(({ channel }) => channel);
}
