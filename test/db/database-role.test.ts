import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { connectDatabase, type Database } from '../../db/client.js';
import { migrate } from '../../db/migrate.js';
import { emptyDatabase, migratedDatabase } from './support/database.js';

const compose = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8');
const [, indented = ''] = /^ {2}database-role:\n {4}content: \|\n((?: {6}.*\n)+)/m.exec(compose) ?? [];

/** Runs the script of docker compose as psql does, and returns the address with the role that it created. */
async function createRole({ url, database: { pg } }: { url: string; database: Database }): Promise<string> {
  // A role belongs to all databases of the server, which other tests use too.
  const role = `role_${randomUUID().replaceAll('-', '')}`;
  const place = new URL(url);
  const name = place.pathname.slice(1);
  const script = indented
    .replaceAll(/^ {6}/gm, '')
    .replaceAll('database investigator', `database "${name}"`)
    .replaceAll(/\binvestigator\b/g, role)
    .replaceAll(":'password'", "'secret'");
  for (const statement of script.split(/(?<=;|\\gexec)\n/).filter((text) => text.trim() !== '')) {
    const [text = '', isGenerated] = statement.split('\\gexec');
    const rows = await pg.unsafe<Record<string, string>[]>(text);
    for (const row of isGenerated === undefined ? [] : rows) await pg.unsafe(Object.values(row)[0] ?? '');
  }
  onTestFinished(async () => {
    await pg.unsafe(`reassign owned by ${role} to current_user; drop owned by ${role}; drop role ${role}`);
  });
  place.username = role;
  place.password = 'secret';
  return place.href;
}

it.each([
  ['of an empty database', emptyDatabase],
  ['of a database that a superuser migrated before', migratedDatabase],
])('the role of docker compose migrates and owns all tables %s, without superuser rights', async (_, open) => {
  const opened = await open();
  const url = await createRole(opened);
  await migrate(url);
  const own = connectDatabase(url, { poolSize: 1, name: 'test' });
  onTestFinished(() => own.close());
  const [facts] =
    await own.pg`select current_user as name, rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = current_user`;
  expect(facts).toMatchObject({ rolsuper: false, rolcreatedb: false, rolcreaterole: false });
  const others = await own.pg`
    select relname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname in ('public', 'drizzle') and relkind in ('r', 'S', 'v') and relowner <> current_user::regrole`;
  expect(others).toEqual([]);
  // As a later migration does.
  await own.pg`alter table alerts add column added_later int`;
});
