import type { Db } from '../../db/client.js';
import { findChatUser } from '../../db/identity/chat-identities.js';
import { findMembershipRole } from '../../db/identity/memberships.js';
import { type ChatAccount, describeChatAccount } from '../../domain/identity/chat-identity.js';
import type { Principal } from '../../domain/identity/identity.js';

/** The user of the account, with the role in the organization. `no-role`: the user has none there. */
export async function findChatPrincipal(
  db: Db,
  account: ChatAccount,
  organizationUuid: string,
): Promise<Principal | 'unlinked' | 'unconfirmed' | 'no-role'> {
  const user = await findChatUser(db, account);
  if (user === null) return 'unlinked';
  if (!user.isConfirmed) return 'unconfirmed';
  const { userUuid, name } = user;
  const role = await findMembershipRole(db, userUuid, organizationUuid);
  if (role === null) return 'no-role';
  const person = { uuid: userUuid, personUuid: userUuid, userUuid, sessionUuid: null };
  return { ...person, name, role, organizationUuid, via: describeChatAccount(account) };
}
