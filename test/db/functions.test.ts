import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { migratedDatabase } from './support/database.js';

it('has no SQL function that no query, index or trigger uses', async () => {
  const { database } = await migratedDatabase();
  const functions = await database.pg<{ name: string }[]>`
    select proname as name from pg_proc where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
      and not exists (select from pg_trigger where tgfoid = pg_proc.oid)`;
  const files = readdirSync('db', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const sources = files.map((file) => readFileSync(`db/${file}`, 'utf8'));
  expect(functions.length).toBeGreaterThan(0);
  expect(functions.map(({ name }) => name).filter((name) => !sources.some((source) => source.includes(`${name}(`)))).toEqual([]);
});
