import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { beginCopying, type CopyPlace, failCopying, findCopied, replaceItems } from '../../db/copies/list-copies.js';
import { createConnection, startWithThirdParties, type WithThirdParties } from '../support/with-third-parties.js';

let started: WithThirdParties;
let place: CopyPlace;

beforeAll(async () => {
  started = await startWithThirdParties({ worker: false });
  const connectionUuid = await createConnection(started.service, {
    ...started.thirdParties.connections.malwareProtection,
    instance_name: 'Malware protection',
  });
  const { pg } = started.service.database;
  const [connection] = await pg<{ generation: number }[]>`select generation from connections where connection_uuid = ${connectionUuid}`;
  place = { connectionUuid, kind: 'event', generation: connection?.generation ?? 0 };
});
afterAll(() => started?.stop());

const newReader = () => ({ id: randomUUID(), seconds: 60, freshAfter: Date.now() / 1000 - 60 });
const EMPTY = { items: [], period: 0, covered: { from: null, until: null } };

it('is not read again for a question that looked before another one had read it', async () => {
  const { pg } = started.service.database;
  const list = { ...place, kind: 'computer' };
  const readAs = async (reader: ReturnType<typeof newReader>, readAt: number) => {
    expect(await beginCopying(pg, list, reader)).toBe(true);
    await pg.begin((transaction) => replaceItems(transaction, list, reader.id, { ...EMPTY, readAt }));
  };
  await readAs(newReader(), Date.now() / 1000 - 3600);
  await readAs(newReader(), Date.now() / 1000);
  expect(await beginCopying(pg, list, newReader())).toBe(false);
  const failing = { ...list, kind: 'person' };
  const reader = newReader();
  await beginCopying(pg, failing, reader);
  await failCopying(pg, failing, reader.id, { seconds: 60, error: 'The list changed.' });
  expect(await beginCopying(pg, failing, newReader())).toBe(false);
});

it('reads only the items of a question, also from a copy that Postgres has not analyzed', async () => {
  const { pg } = started.service.database;
  const reader = newReader();
  await beginCopying(pg, place, reader);
  const items = Array.from({ length: 3000 }, (_, n) => ({
    itemId: `event-${n}`,
    at: 1_700_000_000 + n,
    keys: [`computer:${n % 300}`, `file:${n % 30}`],
    item: { id: n },
  }));
  const read = { items, readAt: Date.now() / 1000, period: 0, covered: { from: null, until: null } };
  expect(await pg.begin((transaction) => replaceItems(transaction, place, reader.id, read))).toBe(true);
  await pg.begin(async (transaction) => {
    const countRead = async () => {
      const [rows] = await transaction<{ read: number }[]>`
        select sum(seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables where relname in ('copied_items', 'copied_item_keys')`;
      return rows?.read ?? 0;
    };
    const before = await countRead();
    const found = await findCopied(transaction, place, { keys: ['computer:7', 'computer:8'], freshAfter: 0 });
    expect(found?.items).toHaveLength(20);
    expect(found?.items[0]).toEqual({ id: 2708 });
    expect((await countRead()) - before).toBeLessThan(100);
  });
});
