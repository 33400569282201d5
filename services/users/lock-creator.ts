import { lockActiveUser, lockUnrevoked, readHolder } from '../../db/identity/holdings.js';
import { findMembershipRole } from '../../db/identity/memberships.js';
import { lowerRole } from '../../domain/identity/identity.js';
import type { Inside, WorkContext } from '../context.js';
import { CommandError } from '../errors.js';

/**
 * For commands that create something that gives access: the end of the caller's access at the same moment waits for the command, which
 * it then also ends, or the command refuses. Returns the person whose access ends the new thing; null: the service, or a key without one.
 */
export async function lockCreator({ db, by }: Pick<Inside<WorkContext>, 'db' | 'by'>): Promise<string | null> {
  if (by === null) return null;
  const holder = by.userUuid ?? (await readHolder(db, by.uuid));
  // In the order of `endAccess`: first the person, then the key.
  if (holder !== null && (await lockActiveUser(db, holder)) === null) throw ended();
  if (by.sessionUuid === null && !(await lockUnrevoked(db, by))) throw ended();
  if (by.userUuid === null) return holder;
  const role = await findMembershipRole(db, by.userUuid, by.organizationUuid);
  if (role === null || lowerRole(role, by.role) !== by.role) throw ended();
  return holder;
}

function ended(): CommandError {
  return new CommandError('unauthenticated', 'Your access ended while the request ran. Sign in again, or ask an admin.');
}
