import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { beginCopying, type CopyPlace, findCopied, replaceItems } from '../../db/copies/list-copies.js';
import { createConnection, startWithThirdParties, type WithThirdParties } from '../support/with-third-parties.js';

let started: WithThirdParties;
let place: CopyPlace;

beforeAll(async () => {
  started = await startWithThirdParties({ worker: false });
  const connectionUuid = await createConnection(started.service, {
    ...started.thirdParties.connections.malwareProtection,
    instance_name: 'Malware protection',
  });
  place = { connectionUuid, kind: 'event', generation: 1 };
});
afterAll(() => started?.stop());

it('reads only the items of a question, also from a copy that Postgres has not analyzed', async () => {
  const { pg } = started.service.database;
  const [connection] = await pg<
    { generation: number }[]
  >`select generation from connections where connection_uuid = ${place.connectionUuid}`;
  place = { ...place, generation: connection?.generation ?? 0 };
  const reader = { id: randomUUID(), seconds: 60 };
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
