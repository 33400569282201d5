import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { expect, it } from 'vitest';
import { SECRET_TABLES, USER_SECRETS } from '../../db/lifecycle/sealed-secrets.js';
import * as schema from '../../db/schema/index.js';
import { deriveKeyId, Keyring, readMasterKeys, type SecretPlace } from '../../platform/keyring.js';
import type { Connection } from '../../services/connections/wire.js';
import { keyFile, keyIdsInUse, newKey, rotate, seal, sealedAt, service, setUpRotation, standIn, start } from './support/rotation.js';

setUpRotation();

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
