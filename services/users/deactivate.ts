import { recordAudit } from '../../db/identity/audit.js';
import { announceEnd } from '../../db/identity/credentials.js';
import { hasMembershipOutside, lockUser, markUserDeactivated } from '../../db/identity/users.js';
import { type Context, inTransaction } from '../context.js';
import { conflict, notFound } from '../errors.js';
import { endAccess } from './end-access.js';

/** Ends all access of a user, and what they left. A second deactivation ends what an earlier version left. */
export function deactivateUser(context: Context, userUuid: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    const { db, by, now } = inside;
    if (userUuid === by.userUuid) throw conflict('You cannot deactivate yourself. Ask another admin.');
    const scope = by.organizationUuid;
    const user = await lockUser(db, scope, userUuid);
    if (user === null) throw notFound('user with this id');
    if (scope !== null && (await hasMembershipOutside(db, userUuid, scope)))
      throw conflict('This user also belongs to other organizations. Ask an admin for all organizations.');
    if (user.deactivatedAt === null) {
      await markUserDeactivated(db, userUuid, now());
      const details = { name: user.name };
      await recordAudit(db, { by, organizationUuid: scope, action: 'user.deactivate', target: userUuid, details });
      await announceEnd(db);
    }
    await endAccess(inside, userUuid, 'deactivated');
  });
}
