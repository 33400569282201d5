import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../db/client.js';
import { migrate } from '../../db/migrate.js';
import { emptyDatabase } from './support/database.js';

const journal = z
  .object({ entries: z.array(z.object({ tag: z.string() })).min(1) })
  .parse(JSON.parse(readFileSync(new URL('../../db/migrations/meta/_journal.json', import.meta.url), 'utf8')));

const applied = ({ sql }: Database) => sql<{ hash: string }[]>`select hash from drizzle.__drizzle_migrations order by id`;

describe('migrate', () => {
  it('brings an empty database to this version', async () => {
    const { url, database } = await emptyDatabase();
    await migrate(url);
    const tables = await database.sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`;
    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'organizations',
        'providers',
        'api_keys',
        'alerts',
        'cases',
        'case_alerts',
        'evidence',
        'playbooks',
        'audit_log',
        'idempotency_keys',
      ]),
    );
    expect(await applied(database)).toHaveLength(journal.entries.length);
  });

  it('by five at once applies every migration once', async () => {
    const { url, database } = await emptyDatabase();
    await Promise.all(Array.from({ length: 5 }, () => migrate(url)));
    const rows = await applied(database);
    expect(rows).toHaveLength(journal.entries.length);
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(journal.entries.length);
  });

  it('waits for whoever migrates already', async () => {
    const { url, database } = await emptyDatabase();
    await migrate(url);
    const holder = await database.sql.reserve();
    await holder`select pg_advisory_lock(7202611150)`;
    let done = false;
    const waiting = migrate(url).then(() => {
      done = true;
    });
    const blocked = async () =>
      (
        await database.sql`select 1 from pg_stat_activity where application_name = 'alert-investigator migrate' and wait_event_type = 'Lock'`
      ).length;
    await expect.poll(blocked, { timeout: 30_000 }).toBe(1);
    expect(done).toBe(false);
    await holder`select pg_advisory_unlock(7202611150)`;
    holder.release();
    await waiting;
    expect(done).toBe(true);
  });

  it('again changes nothing and leaves no lock and no session behind', async () => {
    const { url, database } = await emptyDatabase();
    await migrate(url);
    const before = await applied(database);
    await migrate(url);
    expect(await applied(database)).toEqual(before);
    expect(
      await database.sql`select 1 from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
    ).toHaveLength(0);
    expect(
      await database.sql`select 1 from pg_stat_activity where datname = current_database() and application_name = 'alert-investigator migrate'`,
    ).toHaveLength(0);
  });

  it('that fails gives the lock back', async () => {
    const { url, database } = await emptyDatabase();
    await database.sql`create table alerts (in_the_way int)`;
    await expect(migrate(url)).rejects.toThrow();
    await database.sql`drop table alerts`;
    await migrate(url);
    expect(await applied(database)).toHaveLength(journal.entries.length);
  });
});
