import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ThirdPartyError } from '../domain/connection/skill-errors.js';

/** A secret, encrypted with its own data key, which is encrypted (wrapped) with a master key. */
export interface Sealed {
  readonly masterKeyId: string;
  readonly wrappedKey: string;
  readonly ciphertext: string;
}

/** Bytes, encrypted with a key that is derived from a master key. */
export interface SealedBytes {
  readonly masterKeyId: string;
  /** The salt of the derivation, then the ciphertext. */
  readonly bytes: Uint8Array;
}

/** Shows that a holder of the master key wrote a text. */
export interface Authentication {
  readonly masterKeyId: string;
  /** HMAC-SHA256 with a key that is derived from the master key. */
  readonly code: string;
}

/** The place of a secret. A secret that is moved to another place cannot be decrypted. */
export interface SecretPlace {
  readonly organizationUuid: string;
  /** The connection, or the notification channel. */
  readonly connectionUuid: string;
  readonly field: string;
}

/** The place of the secret that a user shares with an authenticator app. */
export function totpPlace(userUuid: string): SecretPlace {
  return { organizationUuid: '', connectionUuid: userUuid, field: 'totp' };
}

/** The place of the token with which the service asks the identity provider about a user. */
export function refreshTokenPlace(userUuid: string): SecretPlace {
  return { organizationUuid: '', connectionUuid: userUuid, field: 'refresh-token' };
}

/**
 * The first key encrypts, and every key decrypts, so that a new key can be introduced while an old one is in use. Keys in a
 * file are read again before each encryption and when a key is missing, so that a rotation needs no restart.
 */
export class Keyring {
  readonly #load: () => readonly string[];
  #keys = new Map<string, Buffer>();
  #currentId = '';

  constructor(load: () => readonly string[]) {
    this.#load = load;
    this.#reload();
  }

  static of(settings: { readonly MASTER_KEY?: readonly string[] | undefined; readonly MASTER_KEY_FILE?: string | undefined }): Keyring {
    const { MASTER_KEY: keys, MASTER_KEY_FILE: file } = settings;
    if (keys) return new Keyring(() => keys);
    if (file !== undefined) return new Keyring(() => readMasterKeys(file));
    throw new Error('Neither MASTER_KEY nor MASTER_KEY_FILE is set. Set one of them.');
  }

  get currentId(): string {
    return this.#currentId;
  }

  #reload(): void {
    const entries = this.#load().map((base64) => [deriveKeyId(base64), Buffer.from(base64, 'base64')] as const);
    const [current] = entries;
    if (!current) throw new Error('A keyring needs at least one master key.');
    this.#keys = new Map(entries);
    this.#currentId = current[0];
  }

  seal(plaintext: string, place: SecretPlace): Sealed {
    this.#reload();
    const dataKey = randomBytes(32);
    return {
      masterKeyId: this.currentId,
      wrappedKey: encrypt(this.#key(this.currentId), dataKey, `key ${describePlace(place)}`),
      ciphertext: encrypt(dataKey, Buffer.from(plaintext, 'utf8'), describePlace(place)),
    };
  }

  /** Throws for a secret that was altered or moved, or whose master key is missing. */
  open(sealed: Sealed, place: SecretPlace): string {
    const dataKey = decrypt(this.#key(sealed.masterKeyId), sealed.wrappedKey, `key ${describePlace(place)}`);
    return decrypt(dataKey, sealed.ciphertext, describePlace(place)).toString('utf8');
  }

  /** Wraps the data key of the secret with the current master key. */
  rewrap(sealed: Sealed, place: SecretPlace): Sealed {
    const dataKey = decrypt(this.#key(sealed.masterKeyId), sealed.wrappedKey, `key ${describePlace(place)}`);
    return {
      ...sealed,
      masterKeyId: this.currentId,
      wrappedKey: encrypt(this.#key(this.currentId), dataKey, `key ${describePlace(place)}`),
    };
  }

  /** A key for another purpose, which the label names, so that no two purposes share a key. */
  derive(masterKeyId: string, salt: Buffer, label: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#key(masterKeyId), salt, label, 32));
  }

  /** `purpose` separates the keys of different uses. */
  authenticate(text: string, purpose: string): Authentication {
    this.#reload();
    return { masterKeyId: this.currentId, code: this.#sign(this.currentId, text, purpose).toString('base64') };
  }

  /** False also where the master key is missing. */
  isAuthentic(text: string, purpose: string, { masterKeyId, code }: Authentication): boolean {
    const given = Buffer.from(code, 'base64');
    if (!this.#keys.has(masterKeyId)) this.#reload();
    if (!this.#keys.has(masterKeyId)) return false;
    const expected = this.#sign(masterKeyId, text, purpose);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  /** For many short-lived texts: the key of each is derived from the master key, so that no wrapped key is stored. */
  sealBytes(bytes: Buffer, purpose: string): SealedBytes {
    this.#reload();
    const salt = randomBytes(SALT_BYTES);
    const key = this.derive(this.currentId, salt, `alert-investigator ${purpose}`);
    return { masterKeyId: this.currentId, bytes: Buffer.concat([salt, encryptBytes(key, bytes, purpose)]) };
  }

  /** Throws for bytes that were altered or sealed for another purpose, or whose master key is missing. */
  openBytes({ masterKeyId, bytes }: SealedBytes, purpose: string): Buffer {
    const key = this.derive(masterKeyId, Buffer.from(bytes.subarray(0, SALT_BYTES)), `alert-investigator ${purpose}`);
    return decryptBytes(key, Buffer.from(bytes.subarray(SALT_BYTES)), purpose);
  }

  #sign(keyId: string, text: string, purpose: string): Buffer {
    const key = this.derive(keyId, Buffer.alloc(0), `alert-investigator ${purpose}`);
    return createHmac('sha256', key).update(text).digest();
  }

  #key(id: string): Buffer {
    if (!this.#keys.has(id)) this.#reload();
    const key = this.#keys.get(id);
    if (!key)
      throw new UnknownMasterKey(
        `A secret is encrypted with the master key ${id}, which is not in MASTER_KEY or MASTER_KEY_FILE. Add that key.`,
      );
    return key;
  }
}

/** All credentials of a connection, with its secrets decrypted. A connection whose secrets cannot be opened fails alone. */
export function openCredentials(
  connection: {
    readonly organizationUuid: string;
    readonly connectionUuid: string;
    readonly plainCredentials: Readonly<Record<string, unknown>>;
    readonly secrets: readonly (Sealed & { readonly field: string })[];
  },
  keyring: Keyring,
): Record<string, unknown> {
  const { organizationUuid, connectionUuid, plainCredentials, secrets } = connection;
  const open = ({ field, ...sealed }: Sealed & { readonly field: string }) => {
    try {
      return [field, JSON.parse(keyring.open(sealed, { organizationUuid, connectionUuid, field }))];
    } catch (error) {
      const reason = error instanceof UnknownMasterKey ? error.message : 'It was altered, or moved from another connection.';
      throw new ThirdPartyError('Misconfigured', `The secret ${field} of the connection cannot be opened. ${reason}`, {
        resolution: "Add the missing master key, or enter the connection's credentials again.",
        mayHaveHappened: false,
      });
    }
  };
  return { ...plainCredentials, ...Object.fromEntries(secrets.map(open)) };
}

export class UnknownMasterKey extends Error {}

export function readMasterKeys(file: string): string[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split(/[\s,]+/);
}

/** Identifies a key without revealing it. */
export function deriveKeyId(masterKey: string): string {
  return createHash('sha256').update('alert-investigator master key').update(Buffer.from(masterKey, 'base64')).digest('hex').slice(0, 16);
}

function describePlace({ organizationUuid, connectionUuid, field }: SecretPlace): string {
  return JSON.stringify([organizationUuid, connectionUuid, field]);
}

const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

function encryptBytes(key: Buffer, plaintext: Buffer, boundTo: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(boundTo));
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

function decryptBytes(key: Buffer, bytes: Buffer, boundTo: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(boundTo));
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES)), decipher.final()]);
}

function encrypt(key: Buffer, plaintext: Buffer, boundTo: string): string {
  return encryptBytes(key, plaintext, boundTo).toString('base64');
}

function decrypt(key: Buffer, sealed: string, boundTo: string): Buffer {
  return decryptBytes(key, Buffer.from(sealed, 'base64'), boundTo);
}
