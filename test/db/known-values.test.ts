import { is } from 'drizzle-orm';
import { getTableConfig, PgDialect, PgTable } from 'drizzle-orm/pg-core';
import { expect, it } from 'vitest';
import * as schema from '../../db/schema/index.js';
import { migratedDatabase } from './support/database.js';

const dialect = new PgDialect();
const listLiterals = (condition: string) => [...condition.matchAll(/'(?<value>[^']*)'/g)].map(({ groups }) => groups?.['value']).sort();

it('has a constraint in the database for each enum of the schema, with the same values', async () => {
  const { database } = await migratedDatabase();
  const rows = await database.pg<{ name: string; definition: string }[]>`
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint where contype = 'c' and conname like '%\_known'`;
  const stored = Object.fromEntries(rows.map(({ name, definition }) => [name, listLiterals(definition)]));
  const declared = Object.values(schema).flatMap((table) =>
    is(table, PgTable)
      ? getTableConfig(table).checks.flatMap(({ name, value }): [string, ReturnType<typeof listLiterals>][] =>
          name.endsWith('_known') ? [[name, listLiterals(dialect.sqlToQuery(value).sql)]] : [],
        )
      : [],
  );
  expect(declared.length).toBeGreaterThanOrEqual(30);
  // A migration must drop and add the constraint of an enum that gets a new value.
  expect(stored).toEqual(Object.fromEntries(declared));
});

it('refuses an unknown value', async () => {
  const { database } = await migratedDatabase();
  const insert = database.pg`insert into case_clocks (case_uuid, kind, organization_uuid, started_at)
    values (gen_random_uuid(), 'sometimes', gen_random_uuid(), now())`;
  await expect(insert).rejects.toThrow('case_clocks_kind_known');
});
