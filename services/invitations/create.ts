import { type Context, inTransaction } from '../context.js';
import { grantableOrganization } from '../organizations/require-organization.js';
import { requireRecentSignIn } from '../sessions/require-recent-sign-in.js';
import { addInvitation } from './add-invitation.js';
import type { CreatedInvitation, CreateInvitation } from './wire.js';

export function createInvitation(context: Context, given: CreateInvitation): Promise<CreatedInvitation> {
  return inTransaction(context, async (inside) => {
    await requireRecentSignIn(inside);
    const { email, role } = given;
    const organizationUuid = await grantableOrganization(inside.db, inside.by, given.organization_code);
    return { ...(await addInvitation(inside, { email, role, organizationUuid })), ...given };
  });
}
