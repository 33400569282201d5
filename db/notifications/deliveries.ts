import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { DeliveryState } from '../../domain/notification/delivery.js';
import { describeEvent, parseEvent } from '../../domain/notification/event.js';
import { type Db, executePrepared, type PgClient, type Transaction } from '../client.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { notificationChannels, notificationDeliveries, notificationEvents, organizations } from '../schema/index.js';
import { inOrganization } from '../scope.js';
import type { StoredSecret } from './channels.js';

/** A delivery with its event and its channel, for one attempt. */
export interface DueDelivery {
  readonly deliveryUuid: string;
  readonly attempts: number;
  readonly event: Parameters<typeof parseEvent>[0];
  readonly organizationUuid: string;
  readonly channelUuid: string;
  readonly kind: string;
  readonly settings: Record<string, unknown>;
  readonly secrets: readonly StoredSecret[];
  /** The other deliveries of a digest, in the order of their events. Empty for a single event. */
  readonly others: readonly { readonly deliveryUuid: string; readonly event: DueDelivery['event'] }[];
}

/** An event as the senders get it. */
const EVENT = sql`json_build_object('id', event_uuid, 'name', event.name, 'organization', organization_code, 'sequence', sequence,
  'at', floor(extract(epoch from at)), 'data', data)`;

/**
 * Takes the delivery that has been due for the longest time, with the others of its digest, which wait behind it. After `leaseSeconds`
 * without a result another worker takes it.
 */
export async function leaseDelivery(pg: PgClient, channelUuid: string, leaseSeconds: number): Promise<DueDelivery | null> {
  const [claimed] = await executePrepared<DueDelivery>(
    pg,
    sql`
    with next as (
      select delivery_uuid from notification_deliveries join notification_channels using (channel_uuid)
      where channel_uuid = ${channelUuid} and state = 'pending' and next_attempt_at <= now()
        and is_enabled and (blocked_until is null or blocked_until <= now())
      order by next_attempt_at limit 1 for update of notification_deliveries skip locked
    ), taken as (
      update notification_deliveries set next_attempt_at = now() + make_interval(secs => ${leaseSeconds})
      from next where notification_deliveries.delivery_uuid = next.delivery_uuid
      returning notification_deliveries.*
    )
    select delivery_uuid as "deliveryUuid", attempts, taken.organization_uuid as "organizationUuid", channel_uuid as "channelUuid", kind, settings,
      ${EVENT} as event,
      (select coalesce(json_agg(json_build_object('deliveryUuid', other.delivery_uuid, 'event', ${EVENT}) order by other.event_no), '[]')
        from notification_deliveries as other join notification_events as event using (event_no)
        where taken.is_digest and other.channel_uuid = taken.channel_uuid and other.subject_uuid = taken.subject_uuid
          and other.state = 'pending' and other.not_before = taken.not_before and other.event_no <> taken.event_no) as others,
      (select coalesce(json_agg(json_build_object('field', field, 'masterKeyId', master_key_id, 'wrappedKey', wrapped_key,
        'ciphertext', ciphertext)), '[]') from notification_secrets as secret
        where secret.channel_uuid = channel.channel_uuid and (valid_until is null or valid_until > now())) as secrets
    from taken join notification_events as event using (event_no) join notification_channels as channel using (channel_uuid)
      join organizations on organizations.organization_uuid = taken.organization_uuid`,
  );
  return claimed ?? null;
}

/** Makes the first pending delivery of each subject due, now or after its quiet hours. Returns whether there was one that waited without a reason. */
export async function promoteFirst(pg: PgClient, channelUuid: string): Promise<boolean> {
  const promoted = await pg`
    update notification_deliveries as first set next_attempt_at = greatest(now(), not_before)
    where channel_uuid = ${channelUuid} and state = 'pending' and next_attempt_at = 'infinity' and not exists (
      select from notification_deliveries as earlier where earlier.channel_uuid = first.channel_uuid
        and earlier.subject_uuid = first.subject_uuid and earlier.state = 'pending' and earlier.event_no < first.event_no)
    returning 1`;
  return promoted.length > 0;
}

/** The result of an attempt, for all deliveries of a digest. An ended delivery makes the next one of its subject due. */
export async function recordAttempt(
  pg: PgClient,
  { deliveryUuid, others }: Pick<DueDelivery, 'deliveryUuid' | 'others'>,
  result: { ok: true } | { ok: false; error: string; retryInMs: number },
): Promise<void> {
  const uuids = JSON.stringify([deliveryUuid, ...others.map((other) => other.deliveryUuid)]);
  const change = result.ok
    ? sql`state = 'delivered', ended_at = now(), last_error = null`
    : sql`last_error = ${result.error},
      next_attempt_at = case delivery_uuid when ${deliveryUuid}::uuid then now() + make_interval(secs => ${result.retryInMs / 1000}) else next_attempt_at end,
      state = case when expires_at < now() + make_interval(secs => ${result.retryInMs / 1000}) then 'failed' else 'pending' end,
      ended_at = case when expires_at < now() + make_interval(secs => ${result.retryInMs / 1000}) then now() end`;
  await executePrepared(
    pg,
    sql`
    with done as (
      update notification_deliveries set attempts = attempts + 1, ${change}
      where delivery_uuid in (select value::uuid from jsonb_array_elements_text(${uuids}::text::jsonb)) and state = 'pending'
      returning delivery_uuid, channel_uuid, subject_uuid, state
    )
    update notification_deliveries set next_attempt_at = greatest(now(), not_before) where next_attempt_at = 'infinity' and delivery_uuid = (
      select following.delivery_uuid from notification_deliveries as following
      where (channel_uuid, subject_uuid) in (select channel_uuid, subject_uuid from done where state <> 'pending')
        and following.state = 'pending' and following.delivery_uuid not in (select delivery_uuid from done)
      order by event_no limit 1)`,
  );
}

/** The receiver asked for a pause. */
export async function blockChannel(pg: PgClient, channelUuid: string, seconds: number): Promise<void> {
  await pg`
    update notification_channels set blocked_until = greatest(blocked_until, now() + make_interval(secs => ${seconds}))
    where channel_uuid = ${channelUuid}`;
}

/** The time until the next delivery is due. null: none is pending, or the channel is disabled. */
export async function readNextDue(pg: PgClient, channelUuid: string): Promise<number | null> {
  const [row] = await pg<{ ms: number | null }[]>`
    select ceil(extract(epoch from greatest(min(next_attempt_at), max(blocked_until), now()) - now()) * 1000)::float8 as ms
    from notification_deliveries join notification_channels using (channel_uuid)
    where channel_uuid = ${channelUuid} and state = 'pending' and is_enabled and next_attempt_at < 'infinity'
    having count(*) > 0`;
  return row?.ms ?? null;
}

export interface DeliveryFilters {
  readonly channelUuid?: string | undefined;
  readonly state?: DeliveryState | undefined;
}

const columns = {
  delivery_id: notificationDeliveries.deliveryUuid,
  event_id: notificationEvents.eventUuid,
  event: notificationEvents.name,
  data: notificationEvents.data,
  sequence: notificationEvents.sequence,
  at: notificationEvents.at,
  organization_code: organizations.organizationCode,
  channel_id: notificationDeliveries.channelUuid,
  channel: notificationChannels.name,
  state: notificationDeliveries.state,
  attempts: notificationDeliveries.attempts,
  next_attempt_at: sql<
    number | null
  >`case when ${notificationDeliveries.state} = 'pending' and ${notificationDeliveries.nextAttemptAt} < 'infinity'
    then floor(extract(epoch from ${notificationDeliveries.nextAttemptAt}))::float8 end`,
  last_error: notificationDeliveries.lastError,
  created_at: notificationDeliveries.createdAt,
  ended_at: notificationDeliveries.endedAt,
};

/** Newest first. */
export async function listDeliveries(
  db: Db | Transaction,
  scope: string | null,
  filters: DeliveryFilters,
  page: PageRequest,
): Promise<Page<DeliveryRow>> {
  const { deliveryUuid, organizationUuid, channelUuid, state } = notificationDeliveries;
  const rows = await selectDeliveries(db)
    .where(
      and(
        inOrganization(organizationUuid, scope),
        filters.channelUuid === undefined ? undefined : eq(channelUuid, filters.channelUuid),
        filters.state === undefined ? undefined : eq(state, filters.state),
        page.after === null ? undefined : lt(deliveryUuid, page.after),
      ),
    )
    .orderBy(desc(deliveryUuid))
    .limit(page.limit + 1);
  return toPage(rows.map(toDelivery), page, (row) => row.delivery_id);
}

export async function findDelivery(db: Db | Transaction, scope: string | null, deliveryUuid: string): Promise<DeliveryRow | null> {
  const [row] = await selectDeliveries(db).where(
    and(eq(notificationDeliveries.deliveryUuid, deliveryUuid), inOrganization(notificationDeliveries.organizationUuid, scope)),
  );
  return row ? toDelivery(row) : null;
}

function selectDeliveries(db: Db | Transaction) {
  return db
    .select(columns)
    .from(notificationDeliveries)
    .innerJoin(notificationEvents, eq(notificationEvents.eventNo, notificationDeliveries.eventNo))
    .innerJoin(notificationChannels, eq(notificationChannels.channelUuid, notificationDeliveries.channelUuid))
    .innerJoin(organizations, eq(organizations.organizationUuid, notificationDeliveries.organizationUuid))
    .$dynamic();
}

export type DeliveryRow = ReturnType<typeof toDelivery>;

function toDelivery({ data, sequence, at, ...row }: Awaited<ReturnType<typeof selectDeliveries>>[number]) {
  const event = { id: row.event_id, name: row.event, organization: row.organization_code, sequence, at, data };
  return { ...row, title: describeEvent(parseEvent(event)).title };
}

export type FailedDeliveries = { readonly deliveryUuid: string } | { readonly channelUuid: string };

/** Makes failed deliveries pending again for so long, with their event id. Returns one row for each. */
export async function reviveFailed(
  transaction: Transaction,
  scope: string | null,
  which: FailedDeliveries,
  forSeconds: number,
): Promise<{ channelUuid: string; organizationUuid: string }[]> {
  const { deliveryUuid, channelUuid, organizationUuid, state } = notificationDeliveries;
  return transaction
    .update(notificationDeliveries)
    .set({
      state: 'pending',
      nextAttemptAt: Number.POSITIVE_INFINITY,
      attempts: 0,
      endedAt: null,
      expiresAt: sql`now() + make_interval(secs => ${forSeconds})`,
    })
    .where(
      and(
        'deliveryUuid' in which ? eq(deliveryUuid, which.deliveryUuid) : eq(channelUuid, which.channelUuid),
        inOrganization(organizationUuid, scope),
        eq(state, 'failed'),
      ),
    )
    .returning({ channelUuid, organizationUuid });
}
