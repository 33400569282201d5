import { endSetUpLinks } from '../../db/identity/invitations.js';
import { hasUsers, lockNames } from '../../db/identity/users.js';
import { inTransaction, type WorkContext } from '../context.js';
import { addInvitation } from './add-invitation.js';

/** The token of a new set-up link for the first admin, which replaces an earlier one. null: there are users. */
export function createSetUpLink(context: WorkContext): Promise<string | null> {
  return inTransaction(context, async (inside) => {
    // The processes of one installation start at the same time.
    await lockNames(inside.db);
    if (await hasUsers(inside.db)) return null;
    await endSetUpLinks(inside.db, inside.now());
    const { token } = await addInvitation(inside, { email: null, role: 'admin', organizationUuid: null });
    return token;
  });
}
