import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { DELIVER_FOR_SECONDS } from '../../domain/notification/delivery.js';
import { matchesRule, withDecisions } from '../../domain/notification/rule.js';
import { scheduleEvent } from '../../domain/notification/schedule.js';
import type { Db, PgClient, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { newUuid } from '../ids.js';
import { notificationChannels, notificationDeliveries, notificationEvents, notificationRules } from '../schema/index.js';
import { addToInboxes } from './inbox.js';

const ROUTER_LOCK = 7_202_611_171;

type NewDelivery = Pick<
  typeof notificationDeliveries.$inferInsert,
  'organizationUuid' | 'eventNo' | 'channelUuid' | 'subjectUuid' | 'isDigest' | 'notBefore'
>;

/**
 * Compares the oldest events with the rules and adds their deliveries and inbox entries. One process at a time does this, so that the
 * deliveries of a subject are added in the order of its events. Returns the channels and users that get something.
 */
export async function routeEvents(db: Db, limit: number): Promise<{ routed: number; channels: string[]; users: string[] }> {
  return db.transaction(async (transaction) => {
    const [lock] = await transaction.execute<{ taken: boolean }>(sql`select pg_try_advisory_xact_lock(${ROUTER_LOCK}) as taken`);
    if (!lock?.taken) return { routed: 0, channels: [], users: [] };
    const events = await transaction
      .select()
      .from(notificationEvents)
      .where(isNull(notificationEvents.routedAt))
      .orderBy(asc(notificationEvents.eventNo))
      .limit(limit);
    if (events.length === 0) return { routed: 0, channels: [], users: [] };
    const rules = await listActiveRules(transaction, [...new Set(events.map(({ organizationUuid }) => organizationUuid))]);
    const deliveries = events.flatMap((event) => planDeliveries(event, rules));
    await addDeliveries(transaction, deliveries, DELIVER_FOR_SECONDS);
    if (deliveries.length > 0) await bringForward(transaction, events);
    const users = await addToInboxes(transaction, events);
    const numbers = events.map(({ eventNo }) => eventNo);
    await transaction.update(notificationEvents).set({ routedAt: nowSeconds() }).where(inArray(notificationEvents.eventNo, numbers));
    return { routed: events.length, channels: [...new Set(deliveries.map(({ channelUuid }) => channelUuid))], users };
  });
}

type StoredEvent = typeof notificationEvents.$inferSelect;
type ActiveRule = Awaited<ReturnType<typeof listActiveRules>>[number];

/** One delivery for each channel: of several rules, the one that sends first counts. */
function planDeliveries(event: StoredEvent, rules: readonly ActiveRule[]): NewDelivery[] {
  const { organizationUuid, eventNo, subjectUuid } = event;
  const now = nowSeconds();
  const planned = rules
    .filter((rule) => rule.organizationUuid === organizationUuid && matchesRule(rule, event))
    .map((rule) => ({ rule, ...scheduleEvent(rule, event, now) }))
    .sort((one, other) => one.sendAt - other.sendAt || Number(one.isDigest) - Number(other.isDigest));
  const channels = new Set(planned.map(({ rule }) => rule.channelUuid));
  return [...channels].flatMap((channelUuid) => {
    const first = planned.find(({ rule }) => rule.channelUuid === channelUuid);
    if (!first) return [];
    const { rule, isDigest, sendAt } = first;
    const subject = isDigest ? rule.ruleUuid : subjectUuid;
    return [{ organizationUuid, eventNo, channelUuid, subjectUuid: subject, isDigest, notBefore: sendAt > now ? sendAt : null }];
  });
}

/** An event that does not wait takes earlier ones of its subject with it, because they keep their order. */
async function bringForward(transaction: Transaction, events: readonly StoredEvent[]): Promise<void> {
  const numbers = JSON.stringify(events.map(({ eventNo }) => eventNo));
  await transaction.execute(sql`
    with forward as (
      select earlier.delivery_uuid, min(coalesce(later.not_before, later.created_at)) as at
      from notification_deliveries as later
      join notification_deliveries as earlier using (channel_uuid, subject_uuid)
      where later.event_no in (select value::bigint from jsonb_array_elements_text(${numbers}::text::jsonb)) and later.state = 'pending'
        and earlier.state = 'pending' and earlier.event_no < later.event_no
        and earlier.not_before > coalesce(later.not_before, later.created_at)
      group by earlier.delivery_uuid
    )
    update notification_deliveries as delivery set not_before = forward.at,
      next_attempt_at = case when next_attempt_at = not_before then forward.at else next_attempt_at end
    from forward where delivery.delivery_uuid = forward.delivery_uuid`);
}

async function listActiveRules(transaction: Transaction, organizationUuids: readonly string[]) {
  const rules = await transaction
    .select({
      organizationUuid: notificationRules.organizationUuid,
      ruleUuid: notificationRules.ruleUuid,
      channelUuid: notificationRules.channelUuid,
      kind: notificationChannels.kind,
      events: notificationRules.events,
      min_severity: notificationRules.minSeverity,
      verdicts: notificationRules.verdicts,
      assignee: notificationRules.assignee,
      quiet_hours: notificationRules.quietHours,
      digest: notificationRules.digest,
      critical_at_once: notificationRules.criticalAtOnce,
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
