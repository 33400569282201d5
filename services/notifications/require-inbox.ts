import type { Inbox } from '../../db/notifications/inbox.js';
import type { Principal } from '../../domain/identity/identity.js';
import { forbidden } from '../errors.js';

/** The entries that the caller may see: the own ones, of the active organization or of all. */
export function requireInbox({ userUuid, organizationUuid: scope }: Principal): Inbox {
  if (userUuid === null) throw forbidden('The key of a service has no inbox. Sign in as a user, or use a key of a user.');
  return { userUuid, scope };
}
