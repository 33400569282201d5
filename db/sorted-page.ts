import { asc, desc, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/** A column that a list can be sorted by. Rows with equal values are in the order of their keys. */
export interface SortColumn {
  readonly column: PgColumn;
  /** The value as text for a cursor, and the text as a value of the column. */
  readonly toText: SQL<string>;
  readonly fromText: (text: string) => SQL;
}

/** The cursor of a sorted page: the key of its last row, and its value, because the row may change or go. */
export function writePosition(key: string, value: string | null): string {
  return value === null ? key : `${key}.${encodeURIComponent(value)}`;
}

function readPosition(position: string): { key: string; value: string } {
  const [key = '', ...rest] = position.split('.');
  return { key, value: decodeURIComponent(rest.join('.')) };
}

/** null as column: sorted by the key alone. */
export function orderRows(column: SortColumn | null, key: PgColumn, isDescending: boolean): SQL[] {
  const direction = isDescending ? desc : asc;
  return column === null ? [direction(key)] : [direction(column.column), direction(key)];
}

export function isAfterPosition(column: SortColumn | null, key: PgColumn, isDescending: boolean, position: string): SQL {
  const { key: last, value } = readPosition(position);
  const operator = sql.raw(isDescending ? '<' : '>');
  if (column === null) return sql`${key} ${operator} ${last}::uuid`;
  return sql`(${column.column}, ${key}) ${operator} (${column.fromText(value)}, ${last}::uuid)`;
}

/** `toText` of a time: microseconds, which no rounding changes. */
export function timeToText(column: PgColumn): SQL<string> {
  return sql<string>`(extract(epoch from ${column}) * 1000000)::int8::text`;
}

export function timeFromText(text: string): SQL {
  return sql`to_timestamp(0) + ${text}::int8 * interval '1 microsecond'`;
}
