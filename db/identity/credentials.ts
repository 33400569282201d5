import type { Principal } from '../../domain/identity/identity.js';
import type { Db, Transaction } from '../client.js';

/** Tells every API process to empty its cache of credentials. */
export const CREDENTIALS_CHANNEL = 'api_keys_changed';

/** Call it after a key or a session ended, or after the rights of a user changed. */
export async function announceEnd(db: Db | Transaction): Promise<void> {
  await db.execute(`notify ${CREDENTIALS_CHANNEL}`);
}

/** An API key or a session that the database knows. */
export interface KnownCredential {
  readonly principal: Principal;
  readonly expiresAt: number | null;
  /** Until then, the user of an identity provider needs no new sign-in or check there. null: no limit. */
  readonly accessUntil: number | null;
}
