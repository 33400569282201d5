import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter } from '@temporalio/common';
import { expect, it } from 'vitest';
import { Keyring } from '../../platform/keyring.js';
import { isSealed, PayloadSealer } from '../../platform/payload-sealer.js';

const [OLD_KEY, NEW_KEY] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
const keyring = new Keyring(() => [OLD_KEY]);
const sealer = new PayloadSealer(keyring, 'default', true);
const payload = defaultPayloadConverter.toPayload({ user: 'dana' });

it('seals a payload and opens it, also after a rotation and after the setting is off', async () => {
  const sealed = await sealer.encode([payload]);
  expect(sealed.map(isSealed)).toEqual([true]);
  expect(Buffer.from(sealed[0]?.data ?? []).toString('latin1')).not.toContain('dana');
  for (const ring of [keyring, new Keyring(() => [NEW_KEY, OLD_KEY])]) {
    const [opened] = await new PayloadSealer(ring, 'default', false).decode(sealed);
    expect(opened && defaultPayloadConverter.fromPayload(opened)).toEqual({ user: 'dana' });
  }
});

it('leaves payloads of the time before the setting as they are', async () => {
  expect(await sealer.decode([payload])).toEqual([payload]);
  expect(await new PayloadSealer(keyring, 'default', false).encode([payload])).toEqual([payload]);
});

it('does not open a payload that was altered, moved to another namespace, or sealed with an unknown key', async () => {
  const [sealed] = await sealer.encode([payload]);
  const altered = { ...sealed, data: Buffer.from(sealed?.data ?? []).fill(0, 40) };
  await expect(sealer.decode([altered])).rejects.toThrow();
  await expect(new PayloadSealer(keyring, 'other', true).decode([sealed ?? {}])).rejects.toThrow();
  await expect(new PayloadSealer(new Keyring(() => [NEW_KEY]), 'default', true).decode([sealed ?? {}])).rejects.toThrow('master key');
});
