import { recordAudit } from '../../db/identity/audit.js';
import { announceEnd } from '../../db/identity/credentials.js';
import { setTwoFactorPolicy } from '../../db/identity/organizations.js';
import { type Context, inTransaction } from '../context.js';
import { requireRecentSignIn } from '../sessions/require-recent-sign-in.js';
import { requirePathOrganization } from './require-organization.js';
import type { SignInPolicy } from './wire.js';

export function saveSignInPolicy(context: Context, organizationCode: string, policy: SignInPolicy): Promise<SignInPolicy> {
  return inTransaction(context, async (inside) => {
    const { db, by } = inside;
    await requireRecentSignIn(inside);
    const organizationUuid = await requirePathOrganization(db, by, organizationCode);
    await setTwoFactorPolicy(db, organizationUuid, policy.requires_two_factor);
    await recordAudit(db, { by, organizationUuid, action: 'sign-in-policy.update', target: organizationCode, details: policy });
    await announceEnd(db);
    return policy;
  });
}
