import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectDatabase, type Database } from '../../../db/client.js';
import { findConnection, lockConnection, writeSecrets } from '../../../db/connections/connections.js';
import { Keyring } from '../../../platform/keyring.js';
import type { ConnectionContext } from '../../../services/connections/context.js';
import { splitCredentials } from '../../../services/connections/fields.js';
import { insertConnection } from '../../../services/connections/insert.js';
import { reconnect } from '../../../services/connections/reconnect.js';
import { requireConnector } from '../../../services/connections/setup.js';
import { updateConnection } from '../../../services/connections/update.js';
import { readClock } from '../../../services/context.js';
import { createDatabase } from '../../support/databases.js';
import { adminPrincipal } from '../../support/principal.js';
import { storeConnection } from '../../support/stored-connection.js';
import { waitFor } from '../../support/wait-for.js';

const SETTINGS = { auth_url: 'https://login.example', api_host: 'https://api.example', scope_resource: 'https://api.example' };
const keyring = new Keyring(() => [Buffer.alloc(32, 7).toString('base64')]);
let database: Database;
beforeAll(async () => {
  database = connectDatabase(await createDatabase('bootstrapped'), { poolSize: 4, name: 'changes of connections' });
});
afterAll(() => database.close());

// The commands refuse before they would use Temporal.
const context = () => ({ db: database.db, by: adminPrincipal(), now: readClock, keyring, runner: {} }) as unknown as ConnectionContext;

async function read(connectionUuid: string) {
  return (await findConnection(database.db, null, connectionUuid)) ?? expect.fail('no connection');
}

function seal(credentials: object, place: { organizationUuid: string; connectionUuid: string }) {
  return splitCredentials(requireConnector('endpoint-detection').contract, { ...credentials }, keyring, place);
}

const isWaiting = async () =>
  (await database.pg`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`).length > 0;

it('a change of the host that began before the secret was stored does not get the secret', async () => {
  const connectionUuid = await storeConnection(database.db, { name: 'in flight' });
  const { organizationUuid } = await read(connectionUuid);
  let update: Promise<unknown> = Promise.resolve();
  await database.db.transaction(async (transaction) => {
    await lockConnection(transaction, connectionUuid);
    update = updateConnection(context(), connectionUuid, { settings: { ...SETTINGS, api_host: 'https://attacker.example' } }).catch(
      (error: unknown) => error,
    );
    await waitFor('the update', isWaiting);
    await writeSecrets(
      transaction,
      connectionUuid,
      seal({ client_secret: 'secret of the customer' }, { organizationUuid, connectionUuid }).secrets,
    );
  });
  expect(await update).toMatchObject({ refusal: 'invalid', errors: [{ pointer: '#/credentials' }] });
  expect((await read(connectionUuid)).settings).toEqual({});
});

it('a reconnect with another tenant needs the secret again', async () => {
  const place = {
    organizationUuid: (await read(await storeConnection(database.db, { name: 'owner' }))).organizationUuid,
    connectionUuid: crypto.randomUUID(),
  };
  const credentials = { tenant_id: 'tenant', client_id: 'client', client_secret: 'secret of the customer' };
  const given = { connectorKind: 'endpoint-detection', instanceName: 'tenants', description: '', settings: SETTINGS };
  const rules = { remoteAgentUuid: null, needsSecondPerson: false, feedsIntake: false };
  await insertConnection(context(), { ...given, ...rules, ...place, ...seal(credentials, place) });
  const before = await read(place.connectionUuid);
  const change = (changed: Record<string, unknown>) => reconnect(context(), place.connectionUuid, { credentials: changed });
  for (const changed of [{ tenant_id: 'of the attacker' }, { client_id: 'another', tenant_id: 'tenant' }])
    await expect(change(changed)).rejects.toMatchObject({ refusal: 'invalid', errors: [{ pointer: '#/credentials/client_secret' }] });
  expect(await read(place.connectionUuid)).toEqual(before);
});
