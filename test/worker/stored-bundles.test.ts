import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectDatabase, type Database } from '../../db/client.js';
import { listBuilds, readBundle, saveBundle } from '../../db/investigations/workflow-bundles.js';
import { Keyring } from '../../platform/keyring.js';
import { createLogger } from '../../platform/log.js';
import { authenticateBundlesAgain } from '../../services/workflow-bundles/authenticate.js';
import { openBundle, storeBundle } from '../../worker/stored-bundles.js';
import { hashBundle, packCode } from '../../worker/workflow-bundle.js';
import { createDatabase } from '../support/databases.js';

const [OLD_KEY, NEW_KEY] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
const keyring = new Keyring(() => [OLD_KEY]);
const log = createLogger('silent', 'test');
let database: Database & { close(): Promise<void> };
const build = (code: string) => ({ buildId: hashBundle(code), code });
const open = (buildId: string, ring = keyring) => openBundle({ db: database.db, keyring: ring, log }, buildId);

beforeAll(async () => {
  database = connectDatabase(await createDatabase('migrated'), { poolSize: 2, name: 'test' });
});
afterAll(() => database?.close());

it('gives a worker the code that another worker stored, and stores it once', async () => {
  const stored = build('the code');
  await storeBundle({ db: database.db, keyring }, stored);
  const first = await readBundle(database.db, stored.buildId);
  await storeBundle({ db: database.db, keyring }, stored);
  expect(await readBundle(database.db, stored.buildId)).toEqual(first);
  expect((await listBuilds(database.db)).filter(({ buildId }) => buildId === stored.buildId)).toHaveLength(1);
  expect(await open(stored.buildId)).toBe('the code');
});

it('gives no worker code that was altered in the database, until its build stores it again', async () => {
  const [stored, other] = [build('one build'), build('another build')];
  await storeBundle({ db: database.db, keyring }, stored);
  await storeBundle({ db: database.db, keyring }, other);
  const [row, otherRow] = await Promise.all([stored, other].map(({ buildId }) => readBundle(database.db, buildId)));
  if (!row || !otherRow) expect.fail('a bundle is missing');
  const altered = await packCode('malicious code');
  for (const more of [{ code: altered }, { code: altered, authentication: null }, { ...otherRow, buildId: row.buildId }]) {
    await saveBundle(database.db, { ...row, ...more });
    expect(await open(stored.buildId)).toBeNull();
  }
  await storeBundle({ db: database.db, keyring }, stored);
  expect(await open(stored.buildId)).toBe('one build');
});

it('authenticates a bundle of an earlier version whose hash is its build id', async () => {
  const { buildId, code } = build('earlier code');
  await saveBundle(database.db, { buildId, code: await packCode(code), authentication: null });
  expect(await open(buildId)).toBe(code);
  expect((await readBundle(database.db, buildId))?.authentication).toMatchObject({ masterKeyId: keyring.currentId });
});

it('needs the previous master key only until a rotation', async () => {
  const stored = build('rotated code');
  await storeBundle({ db: database.db, keyring }, stored);
  const newOnly = new Keyring(() => [NEW_KEY]);
  expect(await open(stored.buildId, newOnly)).toBeNull();
  await authenticateBundlesAgain(database.db, new Keyring(() => [NEW_KEY, OLD_KEY]));
  expect(await open(stored.buildId, newOnly)).toBe('rotated code');
});
