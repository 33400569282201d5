import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findOrganization } from '../../db/identity/organizations.js';
import { deriveKeyId, Keyring, readMasterKeys, refreshTokenPlace, type Sealed, totpPlace } from '../../platform/keyring.js';
import type { Channel } from '../../services/notifications/wire.js';
import { changeConnectionSecrets, changeUsers, storeProviderToken } from '../support/rows.js';
import { waitFor } from '../support/service.js';
import { keyFile, keyIdsInUse, newKey, rotate, seal, sealedAt, service, setUpRotation, start } from './support/rotation.js';
import type { Ended } from './support/run-command.js';

setUpRotation();

it('re-encrypts the secrets of users', async () => {
  await start(false);
  const { user_uuid: user } = await service.createPerson('analyst');
  const { pg } = service.database;
  const seal = (secret: string) => service.keyring.seal(secret, totpPlace(user));
  await changeUsers(service, { userUuid: user }, { totp: seal('secret of the app'), totpPending: seal('not confirmed yet') });
  const token = service.keyring.seal('token of the provider', refreshTokenPlace(user));
  await storeProviderToken(service, { userUuid: user, token, dueAt: 4_000_000_000 });
  // The second rotation drops the first key.
  for (let count = 0; count < 2; count += 1) expect(await rotate()).toMatchObject({ code: 0 });
  const [stored] = await pg<{ totp: Sealed; totp_pending: Sealed }[]>`select totp, totp_pending from users where user_uuid = ${user}`;
  const keyring = Keyring.of({ MASTER_KEY_FILE: keyFile });
  expect(stored && keyring.open(stored.totp, totpPlace(user))).toBe('secret of the app');
  expect(stored && keyring.open(stored.totp_pending, totpPlace(user))).toBe('not confirmed yet');
  const [ofProvider] = await pg<{ token: Sealed }[]>`select token from provider_tokens where user_uuid = ${user}`;
  expect(ofProvider && keyring.open(ofProvider.token, refreshTokenPlace(user))).toBe('token of the provider');
  await service.stop();
});

it('re-encrypts the secrets of notification channels', async () => {
  await start(false);
  const routingKey = 'r'.repeat(32);
  const body = { organization_code: 'DEMO', name: 'On call', kind: 'pagerduty', settings: {}, secrets: { routing_key: routingKey } };
  const created = await service.request<Channel>('POST', '/platformapi/notification-channels', { body });
  expect(created).toMatchObject({ status: 201 });
  // The second rotation drops the first key.
  for (let count = 0; count < 2; count += 1) expect(await rotate()).toMatchObject({ code: 0 });
  const organization = await findOrganization(service.database.db, 'DEMO');
  const [stored] = await service.database.pg<Sealed[]>`
    select master_key_id as "masterKeyId", wrapped_key as "wrappedKey", ciphertext from notification_secrets`;
  const place = {
    organizationUuid: organization?.organization_uuid ?? '',
    connectionUuid: created.body.channel_id,
    field: 'routing_key',
  };
  expect(stored && Keyring.of({ MASTER_KEY_FILE: keyFile }).open(stored, place)).toBe(routingKey);
  await service.stop();
});

it('continues an interrupted rotation without creating another key', async () => {
  await start(false);
  const [old = ''] = readMasterKeys(keyFile);
  const left = await seal(service.keyring, 'left behind');
  const made = newKey();
  writeFileSync(keyFile, `${made},${old}\n`);
  const moved = await seal(service.keyring, 'moved');
  expect(await keyIdsInUse()).toHaveLength(2);
  const { code, said } = await rotate();
  expect([code, said]).toEqual([0, expect.stringMatching(/Continuing an earlier rotation: 1 secrets .*\nMoved 1 secrets/)]);
  expect(readMasterKeys(keyFile)).toEqual([made, old]);
  expect(await keyIdsInUse()).toEqual([deriveKeyId(made)]);
  expect(service.keyring.open(await sealedAt(left), left)).toBe('left behind');
  expect(service.keyring.open(await sealedAt(moved), moved)).toBe('moved');
  await service.stop();
});

it('re-encrypts with the first key in MASTER_KEY without creating a key', async () => {
  await start(false);
  const [old = ''] = readMasterKeys(keyFile);
  const place = await seal(service.keyring, 'a secret');
  const { ciphertext } = await sealedAt(place);
  const made = newKey();
  expect(await rotate({ MASTER_KEY: `${made},${old}` })).toMatchObject({ code: 0, said: expect.stringContaining('Moved 1 secrets') });
  expect(readMasterKeys(keyFile)).toEqual([old]);
  expect(await sealedAt(place)).toMatchObject({ masterKeyId: deriveKeyId(made), ciphertext });
  expect(new Keyring(() => [made]).open(await sealedAt(place), place)).toBe('a secret');
  expect(await rotate({ MASTER_KEY: `${made},${old}` })).toMatchObject({ code: 0, said: expect.stringContaining('Moved 0 secrets') });
  await service.stop();
});

it('re-encrypts the other secrets if one was altered, and names the altered one', async () => {
  await start(false);
  const [altered, sound] = [await seal(service.keyring, 'altered'), await seal(service.keyring, 'sound')];
  const { connectionUuid } = altered;
  await changeConnectionSecrets(service, { connectionUuid }, { wrappedKey: randomBytes(60).toString('base64') });
  const { code, said } = await rotate();
  expect([code, said]).toEqual([1, expect.stringContaining(`connection ${altered.connectionUuid}, api_key`)]);
  expect(said).not.toContain(sound.connectionUuid);
  expect(service.keyring.open(await sealedAt(sound), sound)).toBe('sound');
  await service.stop();
});

it('waits for a locked secret and rejects a concurrent rotation', async () => {
  await start(false);
  const places = [await seal(service.keyring, 'one'), await seal(service.keyring, 'two')];
  let rotation: Promise<Ended> | null = null;
  await service.database.pg.begin(async (transaction) => {
    await transaction`select from connection_secrets where connection_uuid = ${places[0]?.connectionUuid ?? ''} for update`;
    rotation = rotate();
    await waitFor('the other secret to be re-encrypted', async () => (await keyIdsInUse()).length === 2);
    expect(await rotate()).toMatchObject({ code: 1, said: expect.stringContaining('Another rotation is running.') });
  });
  expect(await rotation).toMatchObject({ code: 0, said: expect.stringContaining('Moved 2 secrets') });
  expect(await keyIdsInUse()).toHaveLength(1);
  await service.stop();
});
