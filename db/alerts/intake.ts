import { alertTypeKey } from '../../domain/alert/alert.js';
import type { PgClient, Queries } from '../client.js';

export interface NewAlert {
  readonly alertUuid: string;
  readonly organizationUuid: string;
  readonly organizationCode: string;
  readonly providerUuid: string;
  readonly providerSegment: string;
  readonly alertType: string;
  readonly alertContent: string;
  /** The digits of an int64: JSON has no other way to carry one whole. */
  readonly createdAtSource: string | null;
  readonly createdBy: string;
  readonly createdByName: string;
  readonly createdAt: number;
  readonly idempotencyKey: string | null;
  readonly bodyDigest: string | null;
}

/** The id of each alert that was inserted, by its uuid. */
export type InsertedIds = Readonly<Record<string, string>>;

/**
 * Everything an alert's acknowledgement promises, for a whole batch, as one statement and so one round trip and one commit.
 * One whose idempotency key was already used is left out of the answer.
 */
export async function insertAlerts(pg: Queries, batch: readonly NewAlert[]): Promise<InsertedIds> {
  if (batch.some(({ idempotencyKey }) => idempotencyKey !== null)) return insertKeyed(pg, batch);
  const [first] = batch;
  return batch.length === 1 && first ? insertLone(pg, first) : insertTogether(pg, batch);
}

interface Answer {
  readonly ids: InsertedIds | null;
}

function toInsertedIds([row]: readonly Answer[]): InsertedIds {
  return row?.ids ?? {};
}

/** Alerts of one batch that differ in nothing but id, content and the time their source gave. */
interface Alike {
  readonly shared: NewAlert;
  readonly alerts: NewAlert[];
  /** How many numbers of its sequence the batch hands out after those of these alerts. */
  numbersAfter: number;
}

function groupAlike(batch: readonly NewAlert[]): Alike[] {
  const groups = new Map<string, Alike>();
  for (const alert of batch) {
    const key = `${alert.organizationUuid} ${alert.providerUuid} ${alert.createdBy} ${alert.createdAt} ${alert.alertType}`;
    const group = groups.get(key);
    if (group) group.alerts.push(alert);
    else groups.set(key, { shared: alert, alerts: [alert], numbersAfter: 0 });
  }
  const alike = [...groups.values()];
  const handedOut = new Map<string, number>();
  for (const group of alike.toReversed()) {
    const sequence = `${group.shared.organizationUuid} ${group.shared.providerUuid}`;
    group.numbersAfter = handedOut.get(sequence) ?? 0;
    handedOut.set(sequence, group.numbersAfter + group.alerts.length);
  }
  return alike;
}

/**
 * A burst is mostly alike: what its alerts share travels once, and each row is three values. They travel as text that is made and
 * read by native code on both sides; an array of the driver's would cost a tenth more.
 */
async function insertTogether(pg: Queries, batch: readonly NewAlert[]): Promise<InsertedIds> {
  const alike = groupAlike(batch);
  const rows = alike.flatMap(({ alerts }) => alerts);
  const shared = <Value>(pick: (alert: NewAlert) => Value) => alike.map((group) => pick(group.shared));
  return toInsertedIds(
    await pg<Answer[]>`
    with alike as materialized (
      select *, to_timestamp(created_at_seconds) as at, sum(amount) over (order by place) as last_place
      from unnest(
        ${shared((alert) => alert.organizationUuid)}::uuid[], ${shared((alert) => alert.providerUuid)}::uuid[],
        ${shared((alert) => `${alert.organizationCode}-${alert.providerSegment}-`)}::text[], ${shared((alert) => alert.alertType)}::text[],
        ${shared((alert) => alertTypeKey(alert.alertType))}::text[], ${shared((alert) => alert.createdBy)}::uuid[],
        ${shared((alert) => alert.createdAt)}::float8[],
        ${alike.map(({ alerts }) => alerts.length)}::int8[], ${alike.map(({ numbersAfter }) => numbersAfter)}::int8[]
      ) with ordinality as given (
        organization_uuid, provider_uuid, prefix, alert_type, alert_type_key, created_by, created_at_seconds, amount, numbers_after, place
      )
    ), numbered as (
      insert into alert_sequences (organization_uuid, provider_uuid, last_number)
      select organization_uuid, provider_uuid, sum(amount) from alike group by 1, 2 order by 1, 2
      on conflict (organization_uuid, provider_uuid) do update set last_number = alert_sequences.last_number + excluded.last_number
      returning organization_uuid, provider_uuid, last_number
    ), inserted as (
      insert into alerts (
        alert_uuid, alert_id, organization_uuid, provider_uuid, alert_type, alert_type_key, alert_content,
        created_at_source, created_by, created_at, modified_at
      )
      select alert_uuid, prefix || (last_number - numbers_after - (last_place - given.place)), organization_uuid, provider_uuid, alert_type,
        alert_type_key, alert_content, created_at_source, created_by, at, at
      from rows from (
        unnest(string_to_array(${rows.map((alert) => alert.alertUuid).join(',')}, ',')::uuid[]),
        json_array_elements_text(${JSON.stringify(rows.map((alert) => alert.alertContent))}::text::json),
        unnest(string_to_array(${rows.map((alert) => alert.createdAtSource ?? '').join(',')}, ',', '')::int8[])
      ) with ordinality as given (alert_uuid, alert_content, created_at_source, place)
        join alike on given.place > last_place - amount and given.place <= last_place
        join numbered using (organization_uuid, provider_uuid)
      returning alert_uuid, alert_id, organization_uuid, created_by, created_at
    ), audited as (
      insert into audit_log (at, principal_uuid, principal_name, organization_uuid, action, target)
      select created_at, created_by, name, organization_uuid, 'alert.create', alert_id
      from inserted join (
        -- One name a principal, whatever the batch says: a second would be a second entry.
        select distinct on (created_by) created_by, name
        from unnest(${shared((alert) => alert.createdBy)}::uuid[], ${shared((alert) => alert.createdByName)}::text[]) as given (created_by, name)
      ) as principals using (created_by)
    )
    select json_object_agg(alert_uuid, alert_id) as ids from inserted`,
  );
}

/** The same where some bring a key: only those that are the first with theirs get a number. */
async function insertKeyed(pg: Queries, batch: readonly NewAlert[]): Promise<InsertedIds> {
  return toInsertedIds(
    await pg<Answer[]>`
    with input as materialized (
      select * from rows from (
        json_to_recordset(${JSON.stringify(batch.map((alert) => ({ ...alert, alertTypeKey: alertTypeKey(alert.alertType) })))}::text::json) as (
          "alertUuid" uuid, "organizationUuid" uuid, "organizationCode" text, "providerUuid" uuid, "providerSegment" text,
          "alertType" text, "alertTypeKey" text, "alertContent" text, "createdAtSource" int8, "createdBy" uuid, "createdByName" text,
          "createdAt" float8, "idempotencyKey" text, "bodyDigest" text
        )
      ) with ordinality as given (
        alert_uuid, organization_uuid, organization_code, provider_uuid, segment, alert_type, alert_type_key, alert_content,
        created_at_source, created_by, created_by_name, created_at_seconds, idempotency_key, body_digest, place
      )
    ), keyed as (
      insert into idempotency_keys (principal_uuid, key, body_digest, alert_uuid, created_at)
      select created_by, idempotency_key, body_digest, alert_uuid, to_timestamp(created_at_seconds)
      from input where idempotency_key is not null
      order by created_by, idempotency_key
      on conflict do nothing
      returning alert_uuid
    ), accepted as materialized (
      -- Counted from the last backwards: the last one's number is what the sequence will answer.
      select input.*, row_number() over (partition by organization_uuid, provider_uuid order by place desc) - 1 as numbers_after
      -- The count makes all keys wait their turn before any sequence is locked: the order in which nothing deadlocks.
      from input cross join (select count(*) from keyed) as all_keyed
      where idempotency_key is null or alert_uuid in (select alert_uuid from keyed)
    ), numbered as (
      insert into alert_sequences (organization_uuid, provider_uuid, last_number)
      select organization_uuid, provider_uuid, count(*) from accepted group by 1, 2 order by 1, 2
      on conflict (organization_uuid, provider_uuid) do update set last_number = alert_sequences.last_number + excluded.last_number
      returning organization_uuid, provider_uuid, last_number
    ), named as materialized (
      select accepted.*, organization_code || '-' || segment || '-' || (last_number - numbers_after) as alert_id,
        to_timestamp(created_at_seconds) as at
      from accepted join numbered using (organization_uuid, provider_uuid)
    ), inserted as (
      insert into alerts (
        alert_uuid, alert_id, organization_uuid, provider_uuid, alert_type, alert_type_key, alert_content,
        created_at_source, created_by, created_at, modified_at
      )
      select alert_uuid, alert_id, organization_uuid, provider_uuid, alert_type, alert_type_key, alert_content,
        created_at_source, created_by, at, at
      from named
    ), audited as (
      insert into audit_log (at, principal_uuid, principal_name, organization_uuid, action, target)
      select at, created_by, created_by_name, organization_uuid, 'alert.create', alert_id from named
    )
    select json_object_agg(alert_uuid, alert_id) as ids from named`,
  );
}

/** The same for one alert without a key, which most batches of a quiet hour are: half the work for the database. */
async function insertLone(pg: Queries, alert: NewAlert): Promise<InsertedIds> {
  return toInsertedIds(
    await pg<Answer[]>`
    with numbered as (
      insert into alert_sequences (organization_uuid, provider_uuid, last_number)
      values (${alert.organizationUuid}, ${alert.providerUuid}, 1)
      on conflict (organization_uuid, provider_uuid) do update set last_number = alert_sequences.last_number + 1
      returning last_number, to_timestamp(${alert.createdAt}::float8) as at
    ), inserted as (
      insert into alerts (
        alert_uuid, alert_id, organization_uuid, provider_uuid, alert_type, alert_type_key, alert_content,
        created_at_source, created_by, created_at, modified_at
      )
      select ${alert.alertUuid}::uuid, ${`${alert.organizationCode}-${alert.providerSegment}-`}::text || last_number,
        ${alert.organizationUuid}::uuid, ${alert.providerUuid}::uuid, ${alert.alertType}::text, ${alertTypeKey(alert.alertType)}::text,
        ${alert.alertContent}::text, ${alert.createdAtSource}::int8, ${alert.createdBy}::uuid, at, at
      from numbered
      returning alert_uuid, alert_id, organization_uuid, created_by, created_at
    ), audited as (
      insert into audit_log (at, principal_uuid, principal_name, organization_uuid, action, target)
      select created_at, created_by, ${alert.createdByName}::text, organization_uuid, 'alert.create', alert_id from inserted
    )
    select json_object_agg(alert_uuid, alert_id) as ids from inserted`,
  );
}

export interface KeyedAlert {
  readonly principalUuid: string;
  readonly key: string;
  readonly bodyDigest: string;
  readonly alertUuid: string;
  readonly alertId: string;
  readonly createdAt: number;
}

/** What the first request with each of these keys made: enough to give its answer again. */
export async function findKeyedAlerts(pg: PgClient, keys: readonly { principalUuid: string; key: string }[]): Promise<KeyedAlert[]> {
  return pg<KeyedAlert[]>`
    select principal_uuid as "principalUuid", key, body_digest as "bodyDigest", alerts.alert_uuid as "alertUuid",
      alerts.alert_id as "alertId", extract(epoch from alerts.created_at)::float8 as "createdAt"
    from idempotency_keys join alerts using (alert_uuid)
    where (principal_uuid, key) in (
      select * from unnest(${keys.map((each) => each.principalUuid)}::uuid[], ${keys.map((each) => each.key)}::text[])
    )`;
}

const KEPT_HOURS = 48;

/** Keys are promised for 24 hours and kept for twice that. */
export async function forgetOldIdempotencyKeys(pg: PgClient): Promise<number> {
  const result = await pg`delete from idempotency_keys where created_at < now() - make_interval(hours => ${KEPT_HOURS})`;
  return result.count;
}
