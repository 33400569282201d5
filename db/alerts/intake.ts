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
  /** The digits of an int64, which JSON numbers cannot carry exactly. */
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
 * Everything that an alert's acknowledgement promises, for a whole batch, as one statement: one round trip, one commit. An alert
 * whose idempotency key was used before is missing in the answer.
 */
export async function insertAlerts(pg: Queries, batch: readonly NewAlert[]): Promise<InsertedIds> {
  const [first] = batch;
  const isSingle = batch.length === 1 && first?.idempotencyKey === null;
  const [row] = await (isSingle ? insertSingle(pg, first) : insertBatch(pg, batch));
  return row?.ids ?? {};
}

interface Answer {
  readonly ids: InsertedIds | null;
}

function alertColumns(pg: Queries) {
  return pg`(alert_uuid, alert_id, organization_uuid, provider_uuid, alert_type, alert_type_key, alert_content, created_at_source,
        created_by, created_at, modified_at)`;
}

/** Alerts of a burst mostly differ only in id, content and the time at the source: the rest travels once a group. */
function groupAlerts(batch: readonly NewAlert[]): NewAlert[][] {
  const groups = new Map<string, NewAlert[]>();
  for (const alert of batch) {
    const key = `${alert.organizationUuid} ${alert.providerUuid} ${alert.createdBy} ${alert.createdAt} ${alert.alertType}`;
    const group = groups.get(key);
    if (group) group.push(alert);
    else groups.set(key, [alert]);
  }
  return [...groups.values()];
}

/** Rows travel as text that native code writes and reads on both sides; the driver's arrays would cost a tenth more. */
function insertBatch(pg: Queries, batch: readonly NewAlert[]) {
  const groups = groupAlerts(batch);
  const alerts = groups.flat();
  const shared = <Value>(pick: (alert: NewAlert) => Value) => groups.flatMap(([alert]) => (alert ? [pick(alert)] : []));
  const keyed = alerts.filter(({ idempotencyKey }) => idempotencyKey !== null);
  // Without keys every alert gets a number, so the groups tell the numbers. With keys only the rows tell which alerts are new.
  const numbering =
    keyed.length === 0
      ? { numbersAfter: pg`numbers_after_group + last_place - place`, counts: pg`sum(amount) from groups`, isNew: pg`true` }
      : {
          numbersAfter: pg`row_number() over (partition by organization_uuid, provider_uuid order by place desc) - 1`,
          counts: pg`count(*) from accepted`,
          isNew: pg`alert_uuid not in (select alert_uuid from repeated)`,
        };
  return pg<Answer[]>`
    with groups as materialized (
      select *, to_timestamp(created_at_seconds) as at, sum(amount) over (order by group_no) as last_place,
        sum(amount) over (partition by organization_uuid, provider_uuid order by group_no desc) - amount as numbers_after_group
      from unnest(
        ${shared((alert) => alert.organizationUuid)}::uuid[], ${shared((alert) => alert.providerUuid)}::uuid[],
        ${shared((alert) => `${alert.organizationCode}-${alert.providerSegment}-`)}::text[], ${shared((alert) => alert.alertType)}::text[],
        ${shared((alert) => alertTypeKey(alert.alertType))}::text[], ${shared((alert) => alert.createdBy)}::uuid[],
        ${shared((alert) => alert.createdByName)}::text[], ${shared((alert) => alert.createdAt)}::float8[],
        ${groups.map(({ length }) => length)}::int8[]
      ) with ordinality as given (
        organization_uuid, provider_uuid, prefix, alert_type, alert_type_key, created_by, created_by_name, created_at_seconds, amount, group_no
      )
    ), ${claimKeys(pg, keyed)} accepted as (
      -- Counted from the last backwards: the sequence returns the last number.
      select given.*, groups.*, ${numbering.numbersAfter} as numbers_after
      from rows from (
        unnest(string_to_array(${alerts.map((alert) => alert.alertUuid).join(',')}, ',')::uuid[]),
        json_array_elements_text(${JSON.stringify(alerts.map((alert) => alert.alertContent))}::text::json),
        unnest(string_to_array(${alerts.map((alert) => alert.createdAtSource ?? '').join(',')}, ',', '')::int8[])
      ) with ordinality as given (alert_uuid, alert_content, created_at_source, place)
        join groups on given.place > last_place - amount and given.place <= last_place
      where ${numbering.isNew}
    ), numbered as (
      insert into alert_sequences (organization_uuid, provider_uuid, last_number)
      select organization_uuid, provider_uuid, ${numbering.counts} group by 1, 2 order by 1, 2
      on conflict (organization_uuid, provider_uuid) do update set last_number = alert_sequences.last_number + excluded.last_number
      returning organization_uuid, provider_uuid, last_number
    ), inserted as (
      insert into alerts ${alertColumns(pg)}
      select alert_uuid, prefix || (last_number - numbers_after), organization_uuid, provider_uuid, alert_type, alert_type_key, alert_content,
        created_at_source, created_by, at, at
      from accepted join numbered using (organization_uuid, provider_uuid)
      returning alert_uuid, alert_id, organization_uuid, created_by, created_at
    ), audited as (
      insert into audit_log (at, principal_uuid, principal_name, organization_uuid, action, target)
      select created_at, created_by, created_by_name, organization_uuid, 'alert.create', alert_id
      from inserted join (select distinct on (created_by) created_by, created_by_name from groups) as principals using (created_by)
    )
    select json_object_agg(alert_uuid, alert_id) as ids from inserted`;
}

/** All keys are claimed before any sequence is locked: the same order in every batch, so that no two batches deadlock. */
function claimKeys(pg: Queries, keyed: readonly NewAlert[]) {
  if (keyed.length === 0) return pg``;
  const column = <Value>(pick: (alert: NewAlert) => Value) => keyed.map(pick);
  return pg`keys as materialized (
      select * from unnest(
        ${column((alert) => alert.createdBy)}::uuid[], ${column((alert) => alert.idempotencyKey)}::text[],
        ${column((alert) => alert.bodyDigest)}::text[], ${column((alert) => alert.alertUuid)}::uuid[],
        ${column((alert) => alert.createdAt)}::float8[]
      ) as given (principal_uuid, key, body_digest, alert_uuid, created_at_seconds)
    ), claimed as (
      insert into idempotency_keys (principal_uuid, key, body_digest, alert_uuid, created_at)
      select principal_uuid, key, body_digest, alert_uuid, to_timestamp(created_at_seconds) from keys
      order by principal_uuid, key
      on conflict do nothing
      returning alert_uuid
    ), repeated as materialized (
      select alert_uuid from keys where alert_uuid not in (select alert_uuid from claimed)
    ),`;
}

/** One alert without a key, the usual batch of a quiet hour: about half the database time of insertBatch. */
function insertSingle(pg: Queries, alert: NewAlert) {
  return pg<Answer[]>`
    with numbered as (
      insert into alert_sequences (organization_uuid, provider_uuid, last_number)
      values (${alert.organizationUuid}, ${alert.providerUuid}, 1)
      on conflict (organization_uuid, provider_uuid) do update set last_number = alert_sequences.last_number + 1
      returning last_number, to_timestamp(${alert.createdAt}::float8) as at
    ), inserted as (
      insert into alerts ${alertColumns(pg)}
      select ${alert.alertUuid}::uuid, ${`${alert.organizationCode}-${alert.providerSegment}-`}::text || last_number,
        ${alert.organizationUuid}::uuid, ${alert.providerUuid}::uuid, ${alert.alertType}::text, ${alertTypeKey(alert.alertType)}::text,
        ${alert.alertContent}::text, ${alert.createdAtSource}::int8, ${alert.createdBy}::uuid, at, at
      from numbered
      returning alert_uuid, alert_id, organization_uuid, created_by, created_at
    ), audited as (
      insert into audit_log (at, principal_uuid, principal_name, organization_uuid, action, target)
      select created_at, created_by, ${alert.createdByName}::text, organization_uuid, 'alert.create', alert_id from inserted
    )
    select json_object_agg(alert_uuid, alert_id) as ids from inserted`;
}

export interface KeyedAlert {
  readonly principalUuid: string;
  readonly key: string;
  readonly bodyDigest: string;
  /** null: the alert was deleted. */
  readonly alert: { readonly alertUuid: string; readonly alertId: string; readonly createdAt: number } | null;
}

/** Finds the alerts that the first request with each key created, to repeat its answer. */
export async function findKeyedAlerts(pg: PgClient, keys: readonly { principalUuid: string; key: string }[]): Promise<KeyedAlert[]> {
  return pg<KeyedAlert[]>`
    select principal_uuid as "principalUuid", key, body_digest as "bodyDigest", case when alerts.alert_uuid is not null then
      json_build_object('alertUuid', alerts.alert_uuid, 'alertId', alerts.alert_id, 'createdAt', extract(epoch from alerts.created_at)::float8)
      end as alert
    from idempotency_keys left join alerts using (alert_uuid)
    where (principal_uuid, key) in (
      select * from unnest(${keys.map((each) => each.principalUuid)}::uuid[], ${keys.map((each) => each.key)}::text[])
    )`;
}

/** The API promises 24 hours. */
const KEPT_HOURS = 48;

export async function forgetOldIdempotencyKeys(pg: PgClient): Promise<number> {
  const result = await pg`delete from idempotency_keys where created_at < now() - make_interval(hours => ${KEPT_HOURS})`;
  return result.count;
}
