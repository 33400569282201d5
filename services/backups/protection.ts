import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Duplex, PassThrough } from 'node:stream';
import type { Keyring } from '../../platform/keyring.js';
import { conflict } from '../errors.js';
import type { BackupTable, Manifest } from './format.js';

/** The authentication code of the manifest. The manifest has the digest of each encrypted file, so that it covers them too. */
export const CODE_FILE = 'manifest.json.hmac';

const KEY_LABELS = { encrypt: 'alert-investigator backup encryption', authenticate: 'alert-investigator backup authentication' } as const;

/**
 * Encrypts, then authenticates: AES-256-CTR for each file and one HMAC over the manifest with their digests. The restore checks all
 * of it before it decrypts a byte. One AES-GCM message ends at 64 GiB.
 */
export class BackupProtection {
  readonly #encrypt: Buffer;
  readonly #authenticate: Buffer;

  constructor(keyring: Keyring, { master_key_id: keyId, salt }: NonNullable<Manifest['protection']>) {
    this.#encrypt = keyring.derive(keyId, Buffer.from(salt, 'base64'), KEY_LABELS.encrypt);
    this.#authenticate = keyring.derive(keyId, Buffer.from(salt, 'base64'), KEY_LABELS.authenticate);
  }

  encrypt(iv: Buffer): Duplex {
    return createCipheriv('aes-256-ctr', this.#encrypt, iv);
  }

  decrypt({ iv }: Pick<BackupTable, 'iv'>): Duplex {
    return iv === undefined ? new PassThrough() : createDecipheriv('aes-256-ctr', this.#encrypt, Buffer.from(iv, 'base64'));
  }

  writeCode(folder: string, manifest: string): void {
    writeFileSync(path.join(folder, CODE_FILE), `${this.#compute(manifest).toString('base64')}\n`, { mode: 0o600, flush: true });
  }

  requireAuthentic(folder: string, manifest: string): void {
    const file = path.join(folder, CODE_FILE);
    const given = existsSync(file) ? Buffer.from(readFileSync(file, 'utf8').trim(), 'base64') : Buffer.alloc(0);
    const expected = this.#compute(manifest);
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      throw conflict(`${file} does not fit the manifest: the backup was changed after it was made. Use another copy of the backup.`);
  }

  #compute(manifest: string): Buffer {
    return createHmac('sha256', this.#authenticate).update(manifest).digest();
  }
}
