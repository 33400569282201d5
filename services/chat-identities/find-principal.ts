import type { Db } from '../../db/client.js';
import { findChatUser } from '../../db/identity/chat-identities.js';
import { findMembershipRole } from '../../db/identity/memberships.js';
import { isTwoFactorMissing, type SessionLimits } from '../../db/identity/user-sessions.js';
import { readSignInState } from '../../db/identity/users.js';
import { type ChatAccount, describeChatAccount } from '../../domain/identity/chat-identity.js';
import type { Principal } from '../../domain/identity/identity.js';
import { readClock } from '../context.js';

/** The policies of the operator, as for sessions. */
type Policies = Pick<SessionLimits, 'requiresTwoFactor' | 'allowsLocalUsers'>;

/**
 * The user of the account, with the role in the organization. `no-role`: the user has none there. The others could not sign in, so their
 * linked account decides nothing either. `signed-out`: the identity provider must confirm the user again.
 */
export async function findChatPrincipal(
  db: Db,
  account: ChatAccount,
  organizationUuid: string,
  { requiresTwoFactor = false, allowsLocalUsers = true }: Policies,
): Promise<Principal | 'unlinked' | 'unconfirmed' | 'signed-out' | 'no-role' | 'local-user' | 'needs-two-factor'> {
  const user = await findChatUser(db, account);
  if (user === null) return 'unlinked';
  if (!user.isConfirmed) return 'unconfirmed';
  const { userUuid, name, accessUntil } = user;
  if (accessUntil !== null && accessUntil <= readClock()) return 'signed-out';
  const role = await findMembershipRole(db, userUuid, organizationUuid);
  if (role === null) return 'no-role';
  const state = await readSignInState(db, userUuid, isTwoFactorMissing(requiresTwoFactor, organizationUuid));
  if (state?.isLocal && !allowsLocalUsers) return 'local-user';
  if (state?.isTwoFactorMissing) return 'needs-two-factor';
  const person = { uuid: userUuid, personUuid: userUuid, userUuid, sessionUuid: null };
  return { ...person, name, role, organizationUuid, via: describeChatAccount(account) };
}
