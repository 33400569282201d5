import { getTableName, is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { expect, it } from 'vitest';
import { migrate } from '../../db/migrate.js';
import * as schema from '../../db/schema/index.js';
import { emptyDatabase } from './support/database.js';

const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

it('has the foreign keys of the schema in the database, all valid', async () => {
  const { url, database } = await emptyDatabase();
  await migrate(url);
  const stored = await database.pg<{ key: string; is_valid: boolean }[]>`
    select conrelid::regclass::text || '.' || attname || ' ' || confrelid::regclass::text || ' ' || confdeltype::text as key, convalidated as is_valid
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and connamespace = 'public'::regnamespace`;
  const declared = Object.values(schema).flatMap((table) =>
    is(table, PgTable)
      ? getTableConfig(table).foreignKeys.map(({ reference, onDelete = 'no action' }) => {
          const { columns, foreignTable } = reference();
          const action = { cascade: 'c', 'set null': 'n', 'no action': 'a', restrict: 'r', 'set default': 'd' }[onDelete];
          return `${getTableName(table)}.${toSnakeCase(columns[0]?.name ?? '')} ${getTableName(foreignTable)} ${action}`;
        })
      : [],
  );
  expect(stored.filter(({ is_valid: isValid }) => !isValid)).toEqual([]);
  expect(stored.map(({ key }) => key).sort()).toEqual(declared.sort());
});
