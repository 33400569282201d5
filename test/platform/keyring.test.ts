import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { deriveKeyId, Keyring, UnknownMasterKey } from '../../platform/keyring.js';
import { temporaryFolder } from '../local/support/scripts.js';

const newKey = () => randomBytes(32).toString('base64');
const place = { organizationUuid: 'org', connectionUuid: 'connection', field: 'api_key' };

it('decrypts a sealed secret and never exposes it', () => {
  const ring = new Keyring(() => [KEY]);
  const sealed = ring.seal('a secret', place);
  expect(JSON.stringify(sealed)).not.toContain('secret');
  expect(ring.open(sealed, place)).toBe('a secret');
  expect(ring.seal('a secret', place).ciphertext).not.toBe(sealed.ciphertext);
});

it.each([
  ['another organization', { organizationUuid: 'other' }],
  ['another connection', { connectionUuid: 'other' }],
  ['another field', { field: 'client_secret' }],
])('refuses to decrypt in %s', (_where, moved) => {
  const ring = new Keyring(() => [KEY]);
  expect(() => ring.open(ring.seal('a secret', place), { ...place, ...moved })).toThrow();
});

it.each(['wrappedKey', 'ciphertext'] as const)('refuses to decrypt with an altered %s', (field) => {
  const ring = new Keyring(() => [KEY]);
  const sealed = ring.seal('a secret', place);
  const bytes = Buffer.from(sealed[field], 'base64');
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  expect(() => ring.open({ ...sealed, [field]: bytes.toString('base64') }, place)).toThrow();
});

it('refuses to decrypt with swapped parts of two secrets', () => {
  const ring = new Keyring(() => [KEY]);
  const one = ring.seal('one', place);
  const other = ring.seal('other', { ...place, field: 'client_secret' });
  expect(() => ring.open({ ...one, ciphertext: other.ciphertext }, place)).toThrow();
  expect(() => ring.open({ ...one, wrappedKey: other.wrappedKey }, place)).toThrow();
});

it('names the missing key, not the secret', () => {
  const sealed = new Keyring(() => [KEY]).seal('a secret', place);
  const other = new Keyring(() => [newKey()]);
  expect(() => other.open(sealed, place)).toThrow(UnknownMasterKey);
  expect(() => other.open(sealed, place)).toThrow(deriveKeyId(KEY));
});

it('rotates to a new key while it is in use', async () => {
  const file = path.join(await temporaryFolder(), 'master-key');
  writeFileSync(file, KEY);
  const running = Keyring.of({ MASTER_KEY_FILE: file });
  const before = running.seal('before', place);
  const key = newKey();
  writeFileSync(file, `${key},${KEY}`);
  const rewrapped = Keyring.of({ MASTER_KEY_FILE: file }).rewrap(before, place);
  expect(rewrapped.masterKeyId).toBe(deriveKeyId(key));
  // The process with the old key re-reads the file: it decrypts the secret and seals new ones with the new key.
  expect(running.open(rewrapped, place)).toBe('before');
  expect(running.seal('after', place).masterKeyId).toBe(deriveKeyId(key));
});

const KEY = newKey();
