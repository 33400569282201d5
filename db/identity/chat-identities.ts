import { and, asc, eq, gt } from 'drizzle-orm';
import { CHAT_LINK_SECONDS, type ChatAccount, type ChatIdentity, describeChatAccount } from '../../domain/identity/chat-identity.js';
import type { Principal } from '../../domain/identity/identity.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { newUuid } from '../ids.js';
import { chatIdentities, chatLinkCodes, users } from '../schema/index.js';
import { hashToken } from '../tokens.js';
import { recordAudit } from './audit.js';
import { findMembershipRole } from './memberships.js';

/** Replaces an earlier code of the user. Returns the end of its time. */
export async function addLinkCode(db: Db, userUuid: string, code: string): Promise<number> {
  const row = { codeHash: hashToken(code), expiresAt: nowSeconds() + CHAT_LINK_SECONDS };
  await db
    .insert(chatLinkCodes)
    .values({ userUuid, ...row })
    .onConflictDoUpdate({ target: chatLinkCodes.userUuid, set: row });
  return row.expiresAt;
}

/** `unknown`: the code is wrong, used or too old. `taken`: the account is linked to another user. */
export type Linked = { readonly name: string } | 'unknown' | 'taken';

/** Links the chat account to the user who created the code. */
export async function linkChatAccount(db: Db, account: ChatAccount, code: string, organizationUuid: string): Promise<Linked> {
  return db.transaction(async (transaction) => {
    const isWanted = and(eq(chatLinkCodes.codeHash, hashToken(code)), gt(chatLinkCodes.expiresAt, nowSeconds()));
    const [used] = await transaction.delete(chatLinkCodes).where(isWanted).returning({ userUuid: chatLinkCodes.userUuid });
    if (!used) return 'unknown';
    const { userUuid } = used;
    const [user] = await transaction.select({ name: users.name }).from(users).where(eq(users.userUuid, userUuid));
    await transaction
      .insert(chatIdentities)
      .values({ identityUuid: newUuid(), ...account, userUuid, linkedAt: nowSeconds() })
      .onConflictDoNothing();
    const [linked] = await transaction.select({ userUuid: chatIdentities.userUuid }).from(chatIdentities).where(isAccount(account));
    if (!user || linked?.userUuid !== userUuid) return 'taken';
    await audit(transaction, { uuid: userUuid, name: user.name, organizationUuid }, 'link', account);
    return { name: user.name };
  });
}

/** The user of the account, with the role in the organization. `unlinked`: no user. `no-role`: the user has none there. */
export async function findChatPrincipal(
  db: Db,
  account: ChatAccount,
  organizationUuid: string,
): Promise<Principal | 'unlinked' | 'no-role'> {
  const [found] = await db
    .select({ userUuid: users.userUuid, name: users.name })
    .from(chatIdentities)
    .innerJoin(users, eq(users.userUuid, chatIdentities.userUuid))
    .where(isAccount(account));
  if (!found) return 'unlinked';
  const { userUuid, name } = found;
  const role = await findMembershipRole(db, userUuid, organizationUuid);
  if (role === null) return 'no-role';
  return {
    uuid: userUuid,
    name,
    role,
    organizationUuid,
    personUuid: userUuid,
    userUuid,
    sessionUuid: null,
    via: describeChatAccount(account),
  };
}

export async function listChatIdentities(db: Db, userUuid: string): Promise<ChatIdentity[]> {
  const { identityUuid, kind, workspace, chatUserId, linkedAt } = chatIdentities;
  return db
    .select({ identity_id: identityUuid, kind, workspace, chat_user_id: chatUserId, linked_at: linkedAt })
    .from(chatIdentities)
    .where(eq(chatIdentities.userUuid, userUuid))
    .orderBy(asc(identityUuid));
}

/** False if the user has no such account. */
export async function removeChatIdentity(db: Db, by: Principal & { userUuid: string }, identityUuid: string): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const isOwn = and(eq(chatIdentities.identityUuid, identityUuid), eq(chatIdentities.userUuid, by.userUuid));
    const [removed] = await transaction.delete(chatIdentities).where(isOwn).returning();
    if (!removed) return false;
    await audit(transaction, by, 'unlink', removed);
    return true;
  });
}

/** A deactivated user decides nothing any more, also not from messages. */
export async function removeChatIdentities(transaction: Transaction, userUuid: string): Promise<void> {
  await transaction.delete(chatIdentities).where(eq(chatIdentities.userUuid, userUuid));
  await transaction.delete(chatLinkCodes).where(eq(chatLinkCodes.userUuid, userUuid));
}

function isAccount({ kind, workspace, chatUserId }: ChatAccount) {
  return and(eq(chatIdentities.kind, kind), eq(chatIdentities.workspace, workspace), eq(chatIdentities.chatUserId, chatUserId));
}

type Auditable = Pick<Principal, 'uuid' | 'name' | 'organizationUuid'>;

async function audit(transaction: Transaction, by: Auditable, verb: 'link' | 'unlink', account: ChatAccount): Promise<void> {
  const { uuid: target, organizationUuid } = by;
  const details = { account: describeChatAccount(account) };
  await recordAudit(transaction, { by, organizationUuid, action: `chat-identity.${verb}`, target, details });
}
