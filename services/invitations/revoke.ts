import { recordAudit } from '../../db/identity/audit.js';
import { endOpenInvitation } from '../../db/identity/invitations.js';
import { type Context, inTransaction } from '../context.js';
import { notFound } from '../errors.js';

export function revokeInvitation(context: Context, invitationUuid: string): Promise<void> {
  return inTransaction(context, async ({ db, by, now }) => {
    const revoked = await endOpenInvitation(db, by.organizationUuid, invitationUuid, now());
    if (revoked === null) throw notFound('open invitation with this id');
    await recordAudit(db, { by, ...revoked, action: 'invitation.revoke', target: invitationUuid });
  });
}
