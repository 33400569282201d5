import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import {
  connectDatabase,
  databaseErrorCode,
  isDatabaseAway,
  isRefusedValue,
  isUniqueViolation,
  withoutParameters,
} from '../../db/client.js';
import { epochSeconds, int64 } from '../../db/columns.js';
import { newUuid, uuidFloor } from '../../db/ids.js';
import { toPage } from '../../db/page.js';
import { emptyDatabase } from './support/database.js';

const failure = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => expect.fail('it did not fail'),
    (error: unknown) => error,
  );

describe('a database error', () => {
  it('has its error code, even when it is wrapped', async () => {
    const { database } = await emptyDatabase();
    await database.pg`create table things (name text primary key)`;
    await database.pg`insert into things values ('one')`;
    const plain = await failure(database.pg`insert into things values ('one')`);
    const wrapped = await failure(database.db.execute(sql`insert into things values (${'one'})`));
    const inTransaction = await failure(
      database.db.transaction((transaction) => transaction.execute(sql`insert into things values ('one')`)),
    );
    for (const error of [plain, wrapped, inTransaction, new Error('outer', { cause: wrapped })]) {
      expect(databaseErrorCode(error)).toBe('23505');
      expect(isUniqueViolation(error)).toBe(true);
      expect(isDatabaseAway(error)).toBe(false);
    }
    expect(databaseErrorCode(new Error('nothing of the database'))).toBeUndefined();
    expect(databaseErrorCode('not even an error')).toBeUndefined();
  });

  it('is logged without the query parameters', async () => {
    const { database } = await emptyDatabase();
    const error = await failure(database.db.execute(sql`select ${'hunter2'}::int`));
    expect(String(error)).toContain('hunter2');
    const logged = withoutParameters(error);
    expect(databaseErrorCode(logged)).toBe('22P02');
    expect(logged).not.toHaveProperty('params');
    const other = new Error('of something else');
    expect(withoutParameters(other)).toBe(other);
  });

  it('is classified as an outage when the server does not listen', async () => {
    const unreachable = connectDatabase('postgres://nobody:x@127.0.0.1:1/nothing', { poolSize: 2, name: 'test' });
    const errors = await Promise.all([
      failure(unreachable.pg`select 1`),
      failure(unreachable.db.execute(sql`select 1`)),
      failure(unreachable.db.transaction(async (transaction) => transaction.execute(sql`select 1`))),
    ]);
    expect(errors.map(isDatabaseAway)).toEqual([true, true, true]);
    await unreachable.close();
  });

  it('says whether the database will never take the value', async () => {
    const { database } = await emptyDatabase();
    await database.pg`create table items (name text primary key, points int not null check (points < 10))`;
    await database.pg`insert into items values ('one', 1)`;
    for (const values of [`'two', null`, `'two', 10`, `'two', 99999999999`])
      expect(isRefusedValue(await failure(database.pg.unsafe(`insert into items values (${values})`)))).toBe(true);
    // Another transaction can remove the other row.
    expect(isRefusedValue(await failure(database.pg`insert into items values ('one', 1)`))).toBe(false);
  });

  it.each(['53100', '53200', '53300'])('is classified as an outage when the server lacks a resource (%s)', async (code) => {
    const { database } = await emptyDatabase();
    const error = await failure(database.pg.unsafe(`do $$ begin raise exception 'none left' using errcode = '${code}'; end $$`));
    expect(databaseErrorCode(error)).toBe(code);
    expect(isDatabaseAway(error)).toBe(true);
  });

  it('is classified as an outage when the server ends the session', async () => {
    const { database } = await emptyDatabase();
    const sleeping = failure(database.pg`select pg_sleep(60)`);
    await expect
      .poll(
        async () =>
          (
            await database.pg`select 1 from pg_stat_activity where query like '%pg_sleep(60)%' and pid <> pg_backend_pid() and datname = current_database()`
          ).length,
      )
      .toBe(1);
    await database.pg`select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(60)%' and pid <> pg_backend_pid() and datname = current_database()`;
    expect(isDatabaseAway(await sleeping)).toBe(true);
    expect(await database.pg`select 1 as one`).toEqual([{ one: 1 }]);
  });
});

describe('a page key', () => {
  it('is a version 7 UUID, and later keys sort after earlier ones', () => {
    const uuids = Array.from({ length: 1_000 }, newUuid);
    for (const uuid of uuids) expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(uuids.toSorted()).toEqual(uuids);
  });

  it('is between the bounds of its second', () => {
    const now = Math.floor(Date.now() / 1000);
    const uuid = newUuid();
    expect(uuid >= uuidFloor(now)).toBe(true);
    expect(uuid < uuidFloor(now + 2)).toBe(true);
    expect(uuidFloor(0)).toBe('00000000-0000-0000-0000-000000000000');
    expect(uuidFloor(Number.MAX_SAFE_INTEGER)).toBe('ffffffff-ffff-0000-0000-000000000000');
    expect(uuidFloor(-1)).toBe(uuidFloor(0));
  });

  it('of the last item is the start of the next page', () => {
    const page = (rows: string[], limit: number) => toPage(rows, { limit, after: null }, (row) => row);
    expect(page(['a', 'b', 'c'], 2)).toEqual({ items: ['a', 'b'], next: 'b' });
    expect(page(['a', 'b'], 2)).toEqual({ items: ['a', 'b'], next: null });
    expect(page([], 2)).toEqual({ items: [], next: null });
  });
});

describe('a column', () => {
  it('keeps seconds and 64-bit integers exact', async () => {
    const { database } = await emptyDatabase();
    const values = ['0', '-1', '9007199254740991', '9007199254740992', '-9007199254740993', '9223372036854775807', '-9223372036854775808'];
    const { pgTable } = await import('drizzle-orm/pg-core');
    const things = pgTable('things', { number: int64(), at: epochSeconds() });
    await database.pg`create table things (number bigint, at timestamptz)`;
    for (const [index, value] of values.entries())
      await database.db.insert(things).values({ number: BigInt(value), at: 1_767_225_600 + index });
    const rows = await database.db.select().from(things).orderBy(things.at);
    expect(rows.map(({ number }) => String(number))).toEqual(values);
    expect(rows.map(({ at }) => at)).toEqual(values.map((_, index) => 1_767_225_600 + index));
    expect(rows.map(({ number }) => typeof number)).toEqual(['number', 'number', 'number', 'bigint', 'bigint', 'bigint', 'bigint']);
  });
});
