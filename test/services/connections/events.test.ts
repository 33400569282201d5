import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { connectDatabase, type Database } from '../../../db/client.js';
import { findConnection } from '../../../db/connections/connections.js';
import { announceExpiringSecrets } from '../../../services/connections/announce-expiring-secrets.js';
import { markBroken } from '../../../services/connections/mark-broken.js';
import { recordTest } from '../../../services/connections/record-test.js';
import { replaceCredentials } from '../../../services/connections/replace-credentials.js';
import { readClock } from '../../../services/context.js';
import { createDatabase } from '../../support/databases.js';
import { adminPrincipal } from '../../support/principal.js';
import { changeConnections, inDays } from '../../support/rows.js';
import { storeConnection } from '../../support/stored-connection.js';

let database: Database;
let connectionUuid: string;
const context = () => ({ db: database.db, by: adminPrincipal(), now: readClock });

beforeAll(async () => {
  database = connectDatabase(await createDatabase('bootstrapped'), { poolSize: 4, name: 'events of connections' });
});
afterAll(() => database.close());

let stored = 0;
beforeEach(async () => {
  stored += 1;
  connectionUuid = await storeConnection(database.db, { name: `connection ${stored}` });
});

async function read() {
  const row = await findConnection(database.db, null, connectionUuid);
  if (!row) throw new Error('no connection');
  return row;
}

async function listEvents(): Promise<string[]> {
  const rows = await database.pg<{ name: string }[]>`
    select name from notification_events where subject_uuid = ${connectionUuid} order by sequence`;
  return rows.map(({ name }) => name);
}

const pass = async () => recordTest(context(), await read(), { ok: true });
const breakIt = async () => markBroken(context(), await read(), 'The key expired.');

it('a connection that breaks has one event, however many calls fail', async () => {
  const before = await read();
  await Promise.all([breakIt(), breakIt()]);
  await markBroken(context(), before, 'The key expired.');
  await recordTest(context(), before, { ok: false, reason: 'The key expired.', broken: true });
  expect(await listEvents()).toEqual(['connection.broken']);
  expect(await read()).toMatchObject({ state: 'broken', stateReason: 'The key expired.' });
});

it('a failure of replaced credentials leaves the new ones', async () => {
  const before = await read();
  await replaceCredentials(context(), before, { plainCredentials: {}, secrets: [] });
  await markBroken(context(), before, 'The key expired.');
  await recordTest(context(), before, { ok: false, reason: 'The key expired.', broken: true });
  expect(await read()).toMatchObject({ state: 'untested', generation: before.generation + 1 });
  expect(await listEvents()).toEqual([]);
});

it('the first passed test of a connection is no restoration', async () => {
  await pass();
  expect(await read()).toMatchObject({ state: 'working' });
  expect(await listEvents()).toEqual([]);
});

it('a broken connection that passes its test with new credentials is restored once', async () => {
  await breakIt();
  await replaceCredentials(context(), await read(), { plainCredentials: {}, secrets: [] });
  await pass();
  await pass();
  expect(await listEvents()).toEqual(['connection.broken', 'connection.restored']);
});

it('a failed test that does not concern the credentials has no event', async () => {
  await recordTest(context(), await read(), { ok: false, reason: 'The host does not answer.', broken: false });
  expect(await read()).toMatchObject({ state: 'untested', testedAt: expect.any(Number) });
  expect(await listEvents()).toEqual([]);
});

it('announces a day of expiry once, and a changed day again', async () => {
  for (const days of [5, 5, 6]) {
    await changeConnections({ database }, { connectionUuid }, { secretExpiresOn: inDays(days) });
    await announceExpiringSecrets(context());
  }
  expect(await listEvents()).toEqual(['secret.expiring', 'secret.expiring']);
});
