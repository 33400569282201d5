import { recordAudit } from '../../db/identity/audit.js';
import { findOpenInvitation, markInvitationUsed } from '../../db/identity/invitations.js';
import { saveMembership } from '../../db/identity/memberships.js';
import { toLine } from '../../domain/text.js';
import { inTransaction, type WorkContext } from '../context.js';
import { CommandError, conflict, invalid } from '../errors.js';
import { hashPassword } from '../sessions/passwords.js';
import { type NewSession, startSession } from '../sessions/start.js';
import { addUser, NameTaken } from '../users/add-user.js';
import type { Join } from './wire.js';

const TAKEN = {
  name: 'Another user or a service of the organization has this name. Enter another one, for example with your middle name.',
  email: 'A user of the organization has this address already. Sign in, or enter another address.',
};

/** Makes the person a user and starts a session. Returns its token and the address of the user. */
export async function acceptInvitation(context: WorkContext, given: Join, session: NewSession): Promise<{ token: string; email: string }> {
  const invitation = await findOpenInvitation(context.db, given.token);
  if (invitation === null) throw unusableLink();
  const email = invitation.email ?? given.email;
  if (email === undefined) throw invalid([{ pointer: '#/email', detail: 'email: is required for the set-up link.' }]);
  const passwordHash = await hashPassword(given.password);
  try {
    return await inTransaction(context, async (inside) => {
      const { db, now } = inside;
      const current = await findOpenInvitation(db, given.token);
      if (current === null) throw unusableLink();
      const { invitationUuid, invitedBy, organizationUuid, role, vouches } = current;
      const name = toLine(given.name);
      const userUuid = await addUser(inside, { name, email, passwordHash, provider: null, organizationUuid, isVouched: vouches });
      await saveMembership(db, { userUuid, organizationUuid, role, fromClaims: false });
      await markInvitationUsed(db, invitationUuid, userUuid, now());
      const by = { uuid: userUuid, name };
      await recordAudit(db, { by, organizationUuid, action: 'invitation.use', target: invitationUuid, details: { user_uuid: userUuid } });
      const details = { invitation_uuid: invitationUuid, invited_by: invitedBy, role, ...(vouches ? { vouched: true } : {}) };
      await recordAudit(db, { by, organizationUuid, action: 'user.join', target: userUuid, details });
      return { token: await startSession(inside, userUuid, session), email };
    });
  } catch (error) {
    if (!(error instanceof NameTaken)) throw error;
    throw conflict(TAKEN[error.field], { errors: [{ pointer: `#/${error.field}`, detail: TAKEN[error.field] }] });
  }
}

function unusableLink(): CommandError {
  return new CommandError('unauthenticated', 'This link is unknown, used or expired. Ask an admin for a new one.');
}
