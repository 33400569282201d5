import { recordAudit } from '../../db/identity/audit.js';
import { deleteChatIdentities } from '../../db/identity/chat-identities.js';
import { announceEnd } from '../../db/identity/credentials.js';
import { hasMembershipOutside, lockUser, markUserDeactivated } from '../../db/identity/users.js';
import { type Context, inTransaction } from '../context.js';
import { conflict, notFound } from '../errors.js';

/** Ends the sessions, keys and chat accounts of a user. */
export function deactivateUser(context: Context, userUuid: string): Promise<void> {
  return inTransaction(context, async ({ db, by, now }) => {
    if (userUuid === by.userUuid) throw conflict('You cannot deactivate yourself. Ask another admin.');
    const scope = by.organizationUuid;
    const user = await lockUser(db, scope, userUuid);
    if (user === null) throw notFound('user with this id');
    if (scope !== null && (await hasMembershipOutside(db, userUuid, scope)))
      throw conflict('This user also belongs to other organizations. Ask an admin for all organizations.');
    if (user.deactivatedAt !== null) return;
    await markUserDeactivated(db, userUuid, now());
    // A deactivated user decides nothing any more, also not from messages.
    await deleteChatIdentities(db, userUuid);
    const details = { name: user.name };
    await recordAudit(db, { by, organizationUuid: scope, action: 'user.deactivate', target: userUuid, details });
    await announceEnd(db);
  });
}
