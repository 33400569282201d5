import { randomBytes } from 'node:crypto';
import type { StoredSecret } from '../../db/notifications/channels.js';
import type { Keyring } from '../../platform/keyring.js';

export const SIGNING_SECRET = 'signing_secret';
export const PREVIOUS_SIGNING_SECRET = `previous_${SIGNING_SECRET}`;

export interface SecretOwner {
  readonly organizationUuid: string;
  readonly channelUuid: string;
}

/** 256 random bits in the form of Standard Webhooks. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** The keyring binds a secret to its organization, channel and field. */
export function sealSecret(keyring: Keyring, owner: SecretOwner, field: string, value: string): StoredSecret {
  return { field, ...keyring.seal(value, toPlace(owner, field)) };
}

export function sealSecrets(keyring: Keyring, owner: SecretOwner, values: Readonly<Record<string, string>>): StoredSecret[] {
  return Object.entries(values).map(([field, value]) => sealSecret(keyring, owner, field, value));
}

export function openSecret(keyring: Keyring, owner: SecretOwner, { field, ...sealed }: StoredSecret): string {
  return keyring.open(sealed, toPlace(owner, field));
}

function toPlace({ organizationUuid, channelUuid }: SecretOwner, field: string) {
  return { organizationUuid, connectionUuid: channelUuid, field };
}
