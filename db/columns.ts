import { sql } from 'drizzle-orm';
import { check, customType, text } from 'drizzle-orm/pg-core';
import type { SkillKey } from '../domain/skill-key.js';

/** A timestamptz that the code reads as epoch seconds, because payloads never contain a Date. */
export const epochSeconds = customType<{ data: number; driverData: string }>({
  dataType: () => 'timestamp with time zone',
  toDriver: (seconds) => new Date(seconds * 1000).toISOString(),
  fromDriver: (value) => Math.floor(Date.parse(value) / 1000),
});

/** The same with milliseconds, for times that the database compares with its clock. */
export const exactSeconds = customType<{ data: number; driverData: string }>({
  dataType: () => 'timestamp (3) with time zone',
  toDriver: (seconds) => (seconds === Number.POSITIVE_INFINITY ? 'infinity' : new Date(seconds * 1000).toISOString()),
  fromDriver: (value) => (value === 'infinity' ? Number.POSITIVE_INFINITY : Date.parse(value) / 1000),
});

/** An exact int8: a number where it is safe, otherwise a bigint. */
export const int64 = customType<{ data: number | bigint; driverData: string }>({
  dataType: () => 'bigint',
  toDriver: (value) => value.toString(),
  fromDriver: (value) => (Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(value)),
});

/** A uuid without a foreign key, with the reason. A test reports a plain `uuid()` that is no key and has no foreign key. */
export function unreferenced<Column>(_reason: string, column: Column): Column {
  return column;
}

export const PER_ALERT = 'Each alert writes it, and the check would lock rows that all alerts share. Retention deletes it with the alert';
export const USER_OR_KEY = 'A user or an API key. Neither is deleted';

/** The database refuses other values. A new value of the enum needs a migration that replaces the constraint; a test reports it. */
export function oneOf(table: string, column: string, values: readonly string[]) {
  return check(`${table}_${column}_known`, sql.raw(`"${column}" in (${values.map((value) => `'${value}'`).join(', ')})`));
}

/** The key of the skill that `connector_key` and `verb` name. */
export function skillKeyOfVerb() {
  return text().$type<SkillKey>().notNull().generatedAlwaysAs(sql`connector_key || '.' || verb`);
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
