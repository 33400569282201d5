import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import postgres from 'postgres';
import type { Queries } from '../client.js';

/** A connection for long statements: without the limit that the service has for its statements. */
export function connectForCopies(url: string): postgres.Sql {
  return postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {}, connection: { application_name: 'alert-investigator backup' } });
}

export interface TableShape {
  readonly name: string;
  /** Without generated columns, which the database computes again. */
  readonly columns: readonly string[];
}

/** All tables of the service, each after the tables that it refers to. */
export async function listTables(pg: Queries): Promise<TableShape[]> {
  const tables = await pg<{ name: string; columns: string[]; refersTo: string[] }[]>`
    select relname as name,
      (select array_agg(attname::text order by attnum) from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
      coalesce((select array_agg(distinct target.relname::text) from pg_constraint join pg_class as target on target.oid = confrelid
        where contype = 'f' and conrelid = pg_class.oid and confrelid <> conrelid), '{}') as "refersTo"
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`;
  const ordered: TableShape[] = [];
  const placed = new Set<string>();
  while (ordered.length < tables.length) {
    const next = tables.filter(({ name, refersTo }) => !placed.has(name) && refersTo.every((target) => placed.has(target)));
    if (next.length === 0) throw new Error('The foreign keys of the tables form a cycle.');
    for (const { name, columns } of next) {
      placed.add(name);
      ordered.push({ name, columns });
    }
  }
  return ordered;
}

function toList(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ');
}

export async function readTable(pg: Queries, { name, columns }: TableShape): Promise<Readable> {
  const stream = await pg.unsafe(`copy "${name}" (${toList(columns)}) to stdout`).readable();
  // postgres.js pauses its socket while the stream is full and resumes it in `_read`, which an ended stream does not call any more.
  stream.once('end', () => stream._read(0));
  return stream;
}

/**
 * Copies rows into a table. postgres.js does not report an error that Postgres finds after the last row, and would wait for the end forever.
 * So this does not wait, and the next statement of the transaction fails.
 */
export async function writeTable(pg: Queries, { name, columns }: TableShape, rows: Readable): Promise<void> {
  const stream = await pg.unsafe(`copy "${name}" (${toList(columns)}) from stdin`).writable();
  await pipeline(rows, stream, { end: false });
  // Resolves when the rows before it are sent.
  await new Promise<void>((resolve, reject) => stream.write(Buffer.alloc(0), (error) => (error ? reject(error) : resolve())));
  stream.end();
  await nextTurn();
}

/** The triggers of versions before migration 0030 wrote events for each row. */
export async function withoutEvents(pg: Queries): Promise<void> {
  await pg`set local alert_investigator.without_events = 'on'`;
}

/** The time of the transaction, in ISO 8601. */
export async function readMoment(pg: Queries): Promise<string> {
  const [moment] = await pg<{ at: string }[]>`select to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`;
  return moment?.at ?? '';
}

export async function hasRows(pg: Queries, name: string): Promise<boolean> {
  const [row] = await pg`select 1 from ${pg(name)} limit 1`;
  return row !== undefined;
}

export async function countRows(pg: Queries, name: string): Promise<number> {
  const [row] = await pg<{ count: number }[]>`select count(*)::float8 as count from ${pg(name)}`;
  return row?.count ?? 0;
}

/** The hashes of the applied migrations, oldest first. Empty for a database without our tables. */
export async function listAppliedMigrations(pg: Queries): Promise<string[]> {
  const [found] = await pg<{ found: boolean }[]>`select to_regclass('drizzle.__drizzle_migrations') is not null as found`;
  if (!found?.found) return [];
  const rows = await pg<{ hash: string }[]>`select hash from drizzle.__drizzle_migrations order by id`;
  return rows.map(({ hash }) => hash);
}

export async function isReachable(url: string): Promise<boolean> {
  const pg = connectForCopies(url);
  try {
    await pg`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await pg.end({ timeout: 1 });
  }
}

/** A copy does not move the sequences of identity columns. */
export async function moveSequences(pg: Queries): Promise<void> {
  const columns = await pg<{ table: string; column: string }[]>`
    select table_name as table, column_name as column from information_schema.columns where table_schema = 'public' and is_identity = 'YES'`;
  for (const { table, column } of columns)
    await pg`select setval(pg_get_serial_sequence(${table}, ${column}), coalesce((select max(${pg(column)}) from ${pg(table)}), 0) + 1, false)`;
}
