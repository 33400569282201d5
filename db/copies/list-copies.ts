import { sql } from 'drizzle-orm';
import type { CopiedItem, CopyPeriod } from '../../domain/record/list-copy.js';
import { executePrepared, type PgClient, type Queries } from '../client.js';
import { storableJson } from '../skills/skill-results.js';

/** A copy of the list of one connection. */
export interface CopyPlace {
  readonly connectionUuid: string;
  readonly kind: string;
  /** That of the connection: a copy of another one answers nothing. */
  readonly generation: number;
}

export interface StoredCopy {
  readonly period: number;
  readonly covered: CopyPeriod;
  /** Epoch seconds; null: there is no complete copy. */
  readonly readAt: number | null;
  readonly wholeAt: number | null;
  readonly isUnusable: boolean;
  readonly isBeingRead: boolean;
  /** The items with a key. Empty if the copy is older than the question allows. */
  readonly items: readonly unknown[];
}

/** A question with more items goes to the third party. */
export const MAX_ITEMS_FOUND = 1000;

/**
 * One statement, so that the items belong to the state of the copy. null: nothing was copied yet. It reads each item by its primary key:
 * a new copy has no statistics, and a join would read the whole copy for each question.
 */
export async function findCopied(
  pg: Queries,
  { connectionUuid, kind, generation }: CopyPlace,
  { keys, freshAfter }: { readonly keys: readonly string[]; readonly freshAfter: number },
): Promise<StoredCopy | null> {
  const [row] = await executePrepared<Omit<StoredCopy, 'covered'> & CopyPeriod>(
    pg,
    sql`
    select period, extract(epoch from covered_from)::float8 as "from", extract(epoch from covered_until)::float8 as "until",
      extract(epoch from read_at)::float8 as "readAt", extract(epoch from whole_at)::float8 as "wholeAt",
      coalesce(unusable_until > now(), false) as "isUnusable", coalesce(reading_until > now(), false) as "isBeingRead",
      case when read_at >= to_timestamp(${freshAfter}::float8) then (
        select coalesce(json_agg(item order by at desc nulls last, item_id), '[]') from (
          select distinct item_id from jsonb_array_elements_text(${storableJson(keys)}::text::jsonb) as asked (key) cross join lateral (
            select item_id from copied_item_keys
            where connection_uuid = copies.connection_uuid and kind = copies.kind and copied_item_keys.key = asked.key
            limit ${MAX_ITEMS_FOUND + 1}) as keyed
          limit ${MAX_ITEMS_FOUND + 1}) as found
        cross join lateral (
          select item, at from copied_items
          where connection_uuid = copies.connection_uuid and kind = copies.kind and copied_items.item_id = found.item_id limit 1) as one)
      else '[]' end as items
    from list_copies as copies
    where connection_uuid = ${connectionUuid}::uuid and kind = ${kind}::text and generation = ${generation}::int`,
  );
  if (!row) return null;
  const { from, until, ...copy } = row;
  return { ...copy, covered: { from, until } };
}

/** Who wants to read a list. */
export interface ListReader {
  readonly id: string;
  /** The longest turn. */
  readonly seconds: number;
  /** Epoch seconds: a copy that is newer needs no reader. */
  readonly freshAfter: number;
}

/**
 * One worker reads a list at a time. False: another one is reading or has just read (the question looked before that), or the connection
 * has changed since.
 */
export async function beginCopying(pg: PgClient, place: CopyPlace, reader: ListReader): Promise<boolean> {
  const { connectionUuid, kind, generation } = place;
  const taken = await pg`
    insert into list_copies as copies (connection_uuid, kind, generation, reading_by, reading_until, used_at)
    select connection_uuid, ${kind}, ${generation}, ${reader.id}, now() + make_interval(secs => ${reader.seconds}), now()
    from connections where connection_uuid = ${connectionUuid} and generation = ${generation}
    on conflict (connection_uuid, kind) do update set reading_by = excluded.reading_by, reading_until = excluded.reading_until, used_at = now(),
      generation = excluded.generation, period = case when copies.generation = excluded.generation then copies.period else 0 end,
      read_at = case when copies.generation = excluded.generation then copies.read_at end,
      whole_at = case when copies.generation = excluded.generation then copies.whole_at end,
      unusable_until = case when copies.generation = excluded.generation then copies.unusable_until end
    where (copies.reading_until is null or copies.reading_until < now()) and (copies.generation <> excluded.generation
      or (coalesce(copies.read_at < to_timestamp(${reader.freshAfter}::float8), true) and coalesce(copies.unusable_until < now(), true)))
    returning connection_uuid`;
  return taken.length > 0;
}

/** What one read of a list adds. */
export interface CopiedRead {
  readonly items: readonly CopiedItem[];
  /** Epoch seconds: before the first request of the read. */
  readonly readAt: number;
  readonly period: number;
  readonly covered: CopyPeriod;
}

/** Writes a whole list into a transaction. False: the turn of this worker has ended, so nothing may be written. */
export async function replaceItems(transaction: Queries, place: CopyPlace, readerId: string, read: CopiedRead): Promise<boolean> {
  if (!(await endCopying(transaction, place, readerId, { ...read, isWhole: true }))) return false;
  const { connectionUuid, kind } = place;
  const ids = storableJson(read.items.map(({ itemId }) => itemId));
  await transaction`
    delete from copied_items where connection_uuid = ${connectionUuid} and kind = ${kind}
      and item_id not in (select jsonb_array_elements_text(${ids}::text::jsonb))`;
  await writeItems(transaction, place, read.items);
  return true;
}

/** Adds the newest items to a list whose items never change. Returns the number of items in the period, or null if the turn has ended. */
export async function addItems(transaction: Queries, place: CopyPlace, readerId: string, read: CopiedRead): Promise<number | null> {
  if (!(await endCopying(transaction, place, readerId, { ...read, isWhole: false }))) return null;
  const { connectionUuid, kind } = place;
  await writeItems(transaction, place, read.items);
  const { from } = read.covered;
  const [row] = await transaction<{ items: number }[]>`
    select count(*)::int as items from copied_items
    where connection_uuid = ${connectionUuid} and kind = ${kind} and (${from}::float8 is null or at >= to_timestamp(${from}::float8))`;
  return row?.items ?? 0;
}

async function endCopying(
  transaction: Queries,
  { connectionUuid, kind, generation }: CopyPlace,
  readerId: string,
  { readAt, period, covered, isWhole }: CopiedRead & { readonly isWhole: boolean },
): Promise<boolean> {
  const ended = await transaction`
    update list_copies set read_at = to_timestamp(${readAt}::float8), whole_at = case when ${isWhole} then to_timestamp(${readAt}::float8) else whole_at end,
      period = ${period}, covered_from = to_timestamp(${covered.from}::float8), covered_until = to_timestamp(${covered.until}::float8),
      reading_by = null, reading_until = null, unusable_until = null, last_error = null
    where connection_uuid = ${connectionUuid} and kind = ${kind} and generation = ${generation} and reading_by = ${readerId}
    returning connection_uuid`;
  return ended.length > 0;
}

async function writeItems(transaction: Queries, { connectionUuid, kind }: CopyPlace, items: readonly CopiedItem[]): Promise<void> {
  const rows = storableJson(items.map(({ itemId, at, item }) => ({ itemId, at, item })));
  await transaction`
    insert into copied_items (connection_uuid, kind, item_id, at, item)
    select ${connectionUuid}, ${kind}, "itemId", to_timestamp(at), item
    from jsonb_to_recordset(${rows}::text::jsonb) as given ("itemId" text, at float8, item jsonb)
    on conflict (connection_uuid, kind, item_id) do update set at = excluded.at, item = excluded.item where copied_items.item <> excluded.item`;
  const keys = storableJson(items.map(({ itemId, keys }) => ({ itemId, keys })));
  await transaction`
    with given as materialized (
      select distinct "itemId" as item_id, key
      from jsonb_to_recordset(${keys}::text::jsonb) as items ("itemId" text, keys jsonb), jsonb_array_elements_text(keys) as key
    ), gone as (
      delete from copied_item_keys as stored where connection_uuid = ${connectionUuid} and kind = ${kind}
        and item_id in (select item_id from given) and not exists (select from given where given.item_id = stored.item_id and given.key = stored.key)
    )
    insert into copied_item_keys (connection_uuid, kind, key, item_id) select ${connectionUuid}, ${kind}, key, item_id from given
    on conflict do nothing`;
}

/** Ends a read without a result. The last complete copy stays; questions go to the third party for this time. */
export async function failCopying(
  pg: PgClient,
  { connectionUuid, kind }: CopyPlace,
  readerId: string,
  { seconds, error }: { readonly seconds: number; readonly error: string },
): Promise<void> {
  await pg`
    update list_copies set reading_by = null, reading_until = null, last_error = ${error},
      unusable_until = case when ${seconds}::float8 > 0 then now() + make_interval(secs => ${seconds}::float8) end
    where connection_uuid = ${connectionUuid} and kind = ${kind} and reading_by = ${readerId}`;
}

/** Deletes the copies that no question used for a week. A copy in use is read again. */
export async function deleteUnusedCopies(pg: PgClient): Promise<void> {
  await pg`delete from list_copies where used_at < now() - interval '7 days'`;
}

/** After a part of the items was deleted: an incomplete copy must not answer. */
export async function forgetCopies(transaction: Queries, organizationUuid: string): Promise<void> {
  await transaction`
    delete from list_copies using connections
    where connections.connection_uuid = list_copies.connection_uuid and organization_uuid = ${organizationUuid}`;
}
