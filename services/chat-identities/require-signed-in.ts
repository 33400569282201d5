import type { Principal } from '../../domain/identity/identity.js';
import { conflict } from '../errors.js';

/** A key could end while the account that it linked stays. */
export function requireSignedIn({ sessionUuid, userUuid }: Principal): string {
  if (sessionUuid === null || userUuid === null)
    throw conflict('Only a user who signed in can link a chat account. Sign in as a user, not with a key.');
  return userUuid;
}
