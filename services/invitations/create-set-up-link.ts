import { endSetUpLinks } from '../../db/identity/invitations.js';
import { countUsers, lockNames } from '../../db/identity/users.js';
import type { Role } from '../../domain/identity/identity.js';
import { inTransaction, type WorkContext } from '../context.js';
import { addInvitation } from './add-invitation.js';

/** The token of a new set-up link for the first admin, which replaces an earlier one. null: there are users. */
export function createSetUpLink(context: WorkContext): Promise<string | null> {
  return createLink(context, 'admin', 0);
}

/** The same for a second person, who approves in the demo. null: there are two users. */
export function createSecondPersonLink(context: WorkContext): Promise<string | null> {
  return createLink(context, 'analyst', 1);
}

/** Only the operator sees these links, on the terminal of the start. */
function createLink(context: WorkContext, role: Role, maxUsers: number): Promise<string | null> {
  return inTransaction(context, async (inside) => {
    // The processes of one installation start at the same time.
    await lockNames(inside.db);
    if ((await countUsers(inside.db)) > maxUsers) return null;
    await endSetUpLinks(inside.db, role, inside.now());
    const { token } = await addInvitation(inside, { email: null, role, organizationUuid: null, vouches: true });
    return token;
  });
}
