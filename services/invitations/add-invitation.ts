import { recordAudit } from '../../db/identity/audit.js';
import { insertInvitation } from '../../db/identity/invitations.js';
import { newUuid } from '../../db/ids.js';
import { newToken } from '../../db/tokens.js';
import type { Role } from '../../domain/identity/identity.js';
import type { Inside, WorkContext } from '../context.js';
import { lockCreator } from '../users/lock-creator.js';

const VALID_HOURS = 72;

interface NewInvitation {
  readonly email: string | null;
  readonly role: Role;
  readonly organizationUuid: string | null;
  /** The operator vouches for the person who uses the link. */
  readonly vouches?: boolean;
}

export async function addInvitation({ db, by, now }: Inside<WorkContext>, given: NewInvitation) {
  const [token, invitationUuid, createdAt] = [newToken('in'), newUuid(), now()];
  const [expiresAt, invitedBy] = [createdAt + VALID_HOURS * 3600, by?.name ?? 'service'];
  const holderUuid = await lockCreator({ db, by });
  const inviter = { invitedBy, invitedByUuid: by?.userUuid ?? null, holderUuid };
  await insertInvitation(db, token, { invitationUuid, ...given, ...inviter, createdAt, expiresAt });
  const { email, role, organizationUuid, vouches = false } = given;
  await recordAudit(db, {
    by,
    organizationUuid,
    action: 'invitation.create',
    target: invitationUuid,
    details: { email, role, ...(vouches ? { vouches } : {}) },
  });
  return { token, invitation_uuid: invitationUuid, invited_by: invitedBy, created_at: createdAt, expires_at: expiresAt };
}
