import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { rotate as rotateSecrets } from '../../cli/rotate-keys.js';
import { describeFailure } from '../../cli/running-database.js';
import { createAuthority, type StandIn, startStandIn } from '../../connectors/kit/stand-in/stand-in.js';
import { defineThreatIntelligenceStandIn, type ThreatIntelligenceStandInState } from '../../connectors/threat-intelligence/stand-in.js';
import { findOrganization } from '../../db/identity/organizations.js';
import { newUuid } from '../../db/ids.js';
import { SECRET_TABLES, USER_SECRETS } from '../../db/lifecycle/sealed-secrets.js';
import * as schema from '../../db/schema/index.js';
import { deriveKeyId, Keyring, readMasterKeys, type SecretPlace } from '../../platform/keyring.js';
import { readSettings } from '../../platform/settings.js';
import { insertConnection } from '../../services/connections/insert.js';
import type { Connection } from '../../services/connections/wire.js';
import { readClock } from '../../services/context.js';
import { temporaryFolder } from '../local/support/scripts.js';
import { adminPrincipal } from '../support/principal.js';
import { startTestService, type TestService } from '../support/service.js';
import type { Ended } from './support/run-command.js';

const newKey = () => randomBytes(32).toString('base64');

let service: TestService;
let standIn: StandIn<ThreatIntelligenceStandInState>;
let folder: string;
let keyFile: string;

beforeAll(async () => {
  const authority = await createAuthority();
  standIn = await startStandIn({ authority, define: defineThreatIntelligenceStandIn });
});
afterAll(() => standIn?.stop());

beforeEach(async () => {
  folder = await temporaryFolder();
  keyFile = path.join(folder, 'key');
  writeFileSync(keyFile, `${newKey()}\n`, { mode: 0o600 });
  writeFileSync(path.join(folder, 'ca.pem'), standIn.caPem);
});

async function start(worker: boolean): Promise<void> {
  service = await startTestService({
    worker,
    env: { MASTER_KEY: '', MASTER_KEY_FILE: keyFile, EGRESS_ALLOW: standIn.address, EGRESS_CA_FILE: path.join(folder, 'ca.pem') },
  });
}

const environment = (more: Record<string, string>) => ({ DATABASE_URL: service.settings.DATABASE_URL, MASTER_KEY_FILE: keyFile, ...more });

/** Rotates in this process, because starting the command takes ten times as long. rotate-keys.full.test.ts starts it. */
async function rotate(more: Record<string, string> = {}): Promise<Ended> {
  const lines: string[] = [];
  const end = (code: number, ...last: string[]) => ({ code, said: [...lines, ...last].join('\n') });
  return rotateSecrets(readSettings(environment(more)), (line) => lines.push(line)).then(
    () => end(0),
    (error: unknown) => end(1, String(describeFailure(error))),
  );
}

/** Creates a connection whose only secret is encrypted with this keyring. */
async function seal(keyring: Keyring, secret: string): Promise<SecretPlace> {
  const organization = await findOrganization(service.database.db, 'DEMO');
  const place = { organizationUuid: organization?.organization_uuid ?? '', connectionUuid: newUuid(), field: 'api_key' };
  await insertConnection(
    { db: service.database.db, by: adminPrincipal(), now: readClock },
    {
      connectionUuid: place.connectionUuid,
      organizationUuid: place.organizationUuid,
      connectorKind: 'threat-intelligence',
      instanceName: `sealed ${place.connectionUuid}`,
      description: '',
      settings: {},
      plainCredentials: {},
      secrets: [{ field: place.field, ...keyring.seal(secret, place) }],
      remoteAgentUuid: null,
      needsSecondPerson: false,
      feedsIntake: false,
    },
  );
  return place;
}

async function sealedAt({ connectionUuid, field }: SecretPlace) {
  const [row] = await service.database.pg<{ masterKeyId: string; wrappedKey: string; ciphertext: string }[]>`
    select master_key_id as "masterKeyId", wrapped_key as "wrappedKey", ciphertext from connection_secrets
    where connection_uuid = ${connectionUuid} and field = ${field}`;
  if (!row) throw new Error('no secret');
  return row;
}
const keyIdsInUse = async () =>
  (await service.database.pg<{ id: string }[]>`select distinct master_key_id as id from connection_secrets`).map(({ id }) => id);

it('re-encrypts every secret with a new key while the service runs', async () => {
  await start(true);
  const connect = async (name: string) => {
    const body = {
      organization_code: 'DEMO',
      connector: 'threat-intelligence',
      instance_name: name,
      settings: { api_host: standIn.url },
      credentials: { api_key: standIn.state.apiKey },
    };
    return (await service.request<Connection>('POST', '/platformapi/connections', { body })).body.connection_id;
  };
  const works = async (connectionId: string) =>
    (await service.request<{ ok: boolean }>('POST', `/platformapi/connections/${connectionId}/test`)).body.ok;
  const before = await connect('before');
  const [old = ''] = readMasterKeys(keyFile);
  const constructedBefore = service.keyring;
  const places: SecretPlace[] = [];
  // More than one batch.
  for (let index = 0; index < 110; index += 1) places.push(await seal(constructedBefore, `secret ${index}`));
  expect(await works(before)).toBe(true);

  const { code, said } = await rotate();
  expect([code, said]).toEqual([0, expect.stringContaining('Moved 111 secrets')]);
  const keys = readMasterKeys(keyFile);
  expect(keys).toEqual([expect.not.stringContaining(old), old]);
  expect(said).not.toContain(keys[0] ?? '');
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  expect(await keyIdsInUse()).toEqual([deriveKeyId(keys[0] ?? '')]);
  for (const [index, place] of places.entries()) expect(constructedBefore.open(await sealedAt(place), place)).toBe(`secret ${index}`);
  expect(await works(before)).toBe(true);
  const after = await connect('after');
  expect(await works(after)).toBe(true);
  expect(await keyIdsInUse()).toEqual([deriveKeyId(keys[0] ?? '')]);

  // The next rotation drops the unused key.
  expect(await rotate()).toMatchObject({ code: 0 });
  expect(await rotate()).toMatchObject({
    code: 0,
    said: expect.stringContaining(`Removed keys that no secret needs: ${deriveKeyId(keys[0] ?? '')}`),
  });
  expect(readMasterKeys(keyFile)).toHaveLength(2);
  expect(readMasterKeys(keyFile)).not.toContain(old);
  expect(await works(before)).toBe(true);
  await service.stop();
});

it('knows every sealed column of the schema', async () => {
  const columns = Object.values(schema)
    .filter((table) => is(table, PgTable))
    .flatMap((table) => Object.values(getTableColumns(table)));
  const ofTables = columns.filter(({ name }) => name === 'ciphertext').map(({ table }) => getTableName(table));
  expect(ofTables.sort()).toEqual(SECRET_TABLES.map(({ secrets }) => secrets).sort());
  const files = readdirSync('db/schema').map((file) => readFileSync(path.join('db/schema', file), 'utf8'));
  const inJson = files.flatMap((text) => [...text.matchAll(/(\w+): jsonb\([^)]*\)\.\$type<Sealed\w*>/g)].map(([, name]) => name));
  const names = inJson.map((name) => name?.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  expect(names.sort()).toEqual(USER_SECRETS.map(({ column }) => column).sort());
});

it('changes nothing while a secret is encrypted with an unknown key', async () => {
  await start(false);
  const [old = ''] = readMasterKeys(keyFile);
  const stranger = newKey();
  await seal(new Keyring(() => [stranger]), 'elsewhere');
  expect(await rotate()).toMatchObject({ code: 1, said: expect.stringContaining(`1 with key ${deriveKeyId(stranger)}`) });
  expect(readMasterKeys(keyFile)).toEqual([old]);
  await service.stop();
});
