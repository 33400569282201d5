import type { RecordKind, RecordMatch, ThirdPartyRecord } from '../../domain/record/record.js';
import type { Carrier } from '../../domain/record/spread.js';
import type { SkillKey } from '../../domain/skill-key.js';
import type { PgClient, Queries } from '../client.js';

/** A connection whose third party's records the service copies. */
export interface RecordConnection {
  readonly connectionUuid: string;
  readonly organizationUuid: string;
  readonly connector: string;
  readonly instanceName: string;
  /** Whether a remote agent reads the third party. */
  readonly isRouted: boolean;
}

/** The connections of these kinds of the alert's organization. */
export async function listRecordConnections(pg: PgClient, alertId: string, kinds: readonly string[]): Promise<RecordConnection[]> {
  return pg<RecordConnection[]>`
    select connection_uuid as "connectionUuid", connections.organization_uuid as "organizationUuid", connector_kind as connector,
      instance_name as "instanceName", remote_agent_uuid is not null as "isRouted"
    from alerts join connections using (organization_uuid)
    where alert_id = ${alertId} and connector_kind = any(${[...kinds]}::text[])
    order by connector_kind, instance_name`;
}

/** How far a copy reaches, in epoch seconds; null: nothing was copied yet. */
export interface CopyReach {
  readonly coveredFrom: number | null;
  readonly coveredUntil: number | null;
}

export async function readReach(pg: PgClient, connectionUuid: string, kind: RecordKind): Promise<CopyReach> {
  const [row] = await pg<CopyReach[]>`
    select extract(epoch from covered_from)::float8 as "coveredFrom", extract(epoch from covered_until)::float8 as "coveredUntil"
    from record_copies where connection_uuid = ${connectionUuid} and kind = ${kind}`;
  return row ?? { coveredFrom: null, coveredUntil: null };
}

/** Only one worker reads a third party at a time. False: another one is reading. */
export async function beginReading(pg: PgClient, connectionUuid: string, kind: RecordKind, seconds: number): Promise<boolean> {
  const taken = await pg`
    insert into record_copies (connection_uuid, kind, reading_until) values (${connectionUuid}, ${kind}, now() + make_interval(secs => ${seconds}))
    on conflict (connection_uuid, kind) do update set reading_until = excluded.reading_until
    where record_copies.reading_until is null or record_copies.reading_until < now()
    returning connection_uuid`;
  return taken.length > 0;
}

export async function extendReach(
  pg: PgClient,
  connectionUuid: string,
  kind: RecordKind,
  read: { readonly since: number; readonly until: number },
): Promise<void> {
  await pg`
    update record_copies set covered_from = least(covered_from, to_timestamp(${read.since}::float8)),
      covered_until = greatest(covered_until, to_timestamp(${read.until}::float8))
    where connection_uuid = ${connectionUuid} and kind = ${kind}`;
}

/** Lets the next worker read. */
export async function endReading(pg: PgClient, connectionUuid: string, kind: RecordKind, error: string | null): Promise<void> {
  await pg`
    update record_copies set reading_until = null, last_error = ${error} where connection_uuid = ${connectionUuid} and kind = ${kind}`;
}

/** Writes records into a transaction. The values of a changed record are replaced. */
export async function writeRecords(
  transaction: Queries,
  connection: Pick<RecordConnection, 'connectionUuid' | 'organizationUuid'>,
  kind: RecordKind,
  records: readonly ThirdPartyRecord[],
  copiedAt: number,
): Promise<void> {
  const { connectionUuid, organizationUuid } = connection;
  const rows = [...new Map(records.map((record) => [record.recordId, record])).values()];
  await transaction`
    insert into third_party_records (connection_uuid, record_id, organization_uuid, kind, title, severity, is_open, conclusion, state,
      happened_at, updated_at, merged_into, also_known_as, techniques, values, copied_at)
    select ${connectionUuid}, "recordId", ${organizationUuid}, ${kind}, title, severity, "isOpen", conclusion, state, to_timestamp("happenedAt"),
      to_timestamp("updatedAt"), "mergedInto", "alsoKnownAs", techniques, values, to_timestamp(${copiedAt}::float8)
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as given ("recordId" text, title text, severity text, "isOpen" boolean,
      conclusion text, state text, "happenedAt" float8, "updatedAt" float8, "mergedInto" text, "alsoKnownAs" text[], techniques text[], values text[])
    on conflict (connection_uuid, kind, record_id) do update set title = excluded.title, severity = excluded.severity, is_open = excluded.is_open,
      conclusion = excluded.conclusion, state = excluded.state, happened_at = excluded.happened_at, updated_at = excluded.updated_at,
      merged_into = excluded.merged_into, also_known_as = excluded.also_known_as, techniques = excluded.techniques, values = excluded.values,
      copied_at = excluded.copied_at`;
  await transaction`
    delete from record_values where connection_uuid = ${connectionUuid} and kind = ${kind} and record_id = any(${rows.map(({ recordId }) => recordId)}::text[])`;
  await transaction`
    insert into record_values (connection_uuid, value, kind, record_id)
    select distinct ${connectionUuid}::uuid, value, ${kind}, "recordId"
    from json_to_recordset(${JSON.stringify(rows.map(({ recordId, values }) => ({ recordId, values })))}::text::json)
      as given ("recordId" text, values text[]) cross join lateral unnest(values) as value`;
}

/** Deletes the records of a copy that no read reported since then. */
export async function forgetRecords(pg: PgClient, connectionUuid: string, kind: RecordKind, copiedBefore: number): Promise<void> {
  await pg`
    with forgotten as (
      delete from third_party_records
      where connection_uuid = ${connectionUuid} and kind = ${kind} and copied_at < to_timestamp(${copiedBefore}::float8)
      returning record_id
    )
    delete from record_values where connection_uuid = ${connectionUuid} and kind = ${kind} and record_id in (select record_id from forgotten)`;
}

/** No question reads further back than 30 days. */
const KEPT_DAYS = 35;

/** Deletes the records that no read reported for a long time, also of connections without questions. A retention rule or a legal hold decides instead. */
export async function deleteOldRecords(pg: PgClient): Promise<void> {
  await pg`
    with forgotten as (
      delete from third_party_records where copied_at < now() - make_interval(days => ${KEPT_DAYS})
        and organization_uuid not in (select organization_uuid from retention_rules where kind = 'records')
        and organization_uuid not in (select organization_uuid from legal_holds where case_uuid is null)
      returning connection_uuid, kind, record_id
    )
    delete from record_values where (connection_uuid, kind, record_id) in (select connection_uuid, kind, record_id from forgotten)`;
}

/** A value in more records than this connects nothing: a relay, a service account, an own domain. */
const COMMON_FROM = 25;
const MAX_MATCHES = 60;

export type StoredMatch = Omit<RecordMatch, 'connector' | 'connection' | 'skillKey' | 'skillId'> & {
  readonly connectionUuid: string;
  /** Everything that the record names. */
  readonly values: readonly string[];
};

/** The own rules about the values, then the records that share one of them, nearest to the time first. */
export async function findMatches(
  pg: PgClient,
  copies: readonly { readonly connectionUuid: string; readonly kind: RecordKind }[],
  values: readonly string[],
  around: number,
): Promise<StoredMatch[]> {
  const connectionUuids = copies.map(({ connectionUuid }) => connectionUuid);
  const kinds = copies.map(({ kind }) => kind);
  return pg<StoredMatch[]>`
    with asked as (
      select connection_uuid, kind, value
      from unnest(${connectionUuids}::uuid[], ${kinds}::text[]) as copies (connection_uuid, kind), unnest(${[...values]}::text[]) as value
    ), shared as (
      select asked.connection_uuid, asked.kind, carrying.record_id, array_agg(distinct asked.value) as shared
      from asked cross join lateral (
        select record_id, count(*) over () as carriers from (
          select record_id from record_values
          where record_values.connection_uuid = asked.connection_uuid and record_values.value = asked.value and record_values.kind = asked.kind
          limit ${COMMON_FROM + 1}
        ) as carriers
      ) as carrying
      where carriers <= ${COMMON_FROM}
      group by asked.connection_uuid, asked.kind, carrying.record_id
    )
    select ${selectRecord(pg)}, shared from shared join third_party_records using (connection_uuid, kind, record_id)
    order by kind = 'indicator' desc, abs(extract(epoch from happened_at) - ${around}::float8) nulls last, record_id limit ${MAX_MATCHES}`;
}

/** The most records of a value that are read to see whom they are about. */
const MAX_CARRIERS = COMMON_FROM + 1;
const MAX_CARRYING = 2000;

export interface StoredCarrier extends Carrier {
  /** The values of the question that the record names. */
  readonly named: readonly string[];
}

/** The records about people and machines that name one of the values, with everything that they name. */
export async function findCarriers(
  pg: PgClient,
  copies: readonly { readonly connectionUuid: string; readonly kind: RecordKind }[],
  values: readonly string[],
): Promise<StoredCarrier[]> {
  return pg<StoredCarrier[]>`
    with asked as (
      select connection_uuid, kind, value
      from unnest(${copies.map(({ connectionUuid }) => connectionUuid)}::uuid[], ${copies.map(({ kind }) => kind)}::text[]) as copies (connection_uuid, kind),
        unnest(${[...values]}::text[]) as value
    ), carrying as (
      select asked.connection_uuid, asked.kind, found.record_id, array_agg(distinct asked.value) as named
      from asked cross join lateral (
        select record_id from record_values
        where record_values.connection_uuid = asked.connection_uuid and record_values.value = asked.value and record_values.kind = asked.kind
        order by record_id limit ${MAX_CARRIERS}
      ) as found
      group by asked.connection_uuid, asked.kind, found.record_id
      limit ${MAX_CARRYING}
    )
    select record_id as "recordId", also_known_as as "alsoKnownAs", conclusion, is_open as "isOpen", values, named,
      extract(epoch from happened_at)::float8 as at
    from carrying join third_party_records using (connection_uuid, kind, record_id)`;
}

/** Follows merges by id. */
export async function findByIds(
  pg: PgClient,
  connectionUuid: string,
  kind: RecordKind,
  recordIds: readonly string[],
): Promise<StoredMatch[]> {
  return pg<StoredMatch[]>`
    select ${selectRecord(pg)}, array[]::text[] as shared from third_party_records
    where connection_uuid = ${connectionUuid} and kind = ${kind} and record_id = any(${[...recordIds]}::text[])`;
}

/** Those of the records whose id is in the output of a write that the service sent. The index has only writes. */
export async function findCreatedRecords(
  pg: PgClient,
  { connectionUuid, organizationUuid }: Pick<RecordConnection, 'connectionUuid' | 'organizationUuid'>,
  { skillKey, idPath, recordIds }: { readonly skillKey: SkillKey; readonly idPath: string; readonly recordIds: readonly string[] },
): Promise<Set<string>> {
  const rows = await pg<{ id: string }[]>`
    select distinct output #>> ${idPath.split('.')}::text[] as id from skill_results
    where organization_uuid = ${organizationUuid} and operation_key is not null and connection_uuid = ${connectionUuid} and skill_key = ${skillKey}
      and status = 'done' and output #>> ${idPath.split('.')}::text[] = any(${[...recordIds]}::text[])`;
  return new Set(rows.map(({ id }) => id));
}

function selectRecord(pg: PgClient) {
  return pg`connection_uuid as "connectionUuid", record_id as "recordId", kind, title, severity, is_open as "isOpen", conclusion, state,
    extract(epoch from happened_at)::float8 as "happenedAt", extract(epoch from updated_at)::float8 as "updatedAt",
    merged_into as "mergedInto", also_known_as as "alsoKnownAs", techniques, values`;
}
