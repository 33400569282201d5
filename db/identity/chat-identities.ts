import { and, asc, eq, gt, isNotNull, isNull, ne } from 'drizzle-orm';
import type { ChatAccount, NamedChatAccount } from '../../domain/identity/chat-identity.js';
import type { Db, Transaction } from '../client.js';
import { newUuid } from '../ids.js';
import { chatIdentities, chatLinkCodes, users } from '../schema/index.js';
import { hashToken } from '../tokens.js';

/** Replaces an earlier code of the user. */
export async function saveLinkCode(db: Db | Transaction, userUuid: string, code: string, expiresAt: number): Promise<void> {
  const row = { codeHash: hashToken(code), expiresAt };
  await db
    .insert(chatLinkCodes)
    .values({ userUuid, ...row })
    .onConflictDoUpdate({ target: chatLinkCodes.userUuid, set: row });
}

/** Only the first use finds the user who created the code. null: the code is wrong, used or too old. */
export async function takeLinkCode(transaction: Transaction, code: string, now: number): Promise<{ uuid: string; name: string } | null> {
  const isWanted = and(eq(chatLinkCodes.codeHash, hashToken(code)), gt(chatLinkCodes.expiresAt, now));
  const [used] = await transaction.delete(chatLinkCodes).where(isWanted).returning({ userUuid: chatLinkCodes.userUuid });
  if (!used) return null;
  const [user] = await transaction.select({ uuid: users.userUuid, name: users.name }).from(users).where(eq(users.userUuid, used.userUuid));
  return user ?? null;
}

/** The user still confirms the account. False where it belongs to another user. */
export async function insertChatIdentity(
  transaction: Transaction,
  account: NamedChatAccount,
  userUuid: string,
  linkedAt: number,
): Promise<boolean> {
  const others = and(isPerson(account), ne(chatIdentities.userUuid, userUuid));
  if ((await transaction.$count(chatIdentities, others)) > 0) return false;
  await transaction.delete(chatIdentities).where(and(isPerson(account), isNull(chatIdentities.appId)));
  await transaction
    .insert(chatIdentities)
    .values({ identityUuid: newUuid(), ...account, userUuid, linkedAt })
    .onConflictDoNothing();
  const [linked] = await transaction.select({ userUuid: chatIdentities.userUuid }).from(chatIdentities).where(isAccount(account));
  return linked?.userUuid === userUuid;
}

/** The user of the account, and whether the user confirmed it. */
export async function findChatUser(
  db: Db | Transaction,
  account: ChatAccount,
): Promise<{ userUuid: string; name: string; isConfirmed: boolean; accessUntil: number | null } | null> {
  const [found] = await db
    .select({ userUuid: users.userUuid, name: users.name, confirmedAt: chatIdentities.confirmedAt, accessUntil: users.accessUntil })
    .from(chatIdentities)
    .innerJoin(users, eq(users.userUuid, chatIdentities.userUuid))
    .where(isAccount(account));
  if (!found) return null;
  const { confirmedAt, ...user } = found;
  return { ...user, isConfirmed: confirmedAt !== null };
}

/** Returns the account; null where the user has none with this id that waits for a confirmation. */
export async function confirmChatIdentity(
  transaction: Transaction,
  userUuid: string,
  identityUuid: string,
  confirmedAt: number,
): Promise<typeof chatIdentities.$inferSelect | null> {
  const isOwn = and(eq(chatIdentities.identityUuid, identityUuid), eq(chatIdentities.userUuid, userUuid));
  const [confirmed] = await transaction
    .update(chatIdentities)
    .set({ confirmedAt })
    .where(and(isOwn, isNotNull(chatIdentities.appId), isNull(chatIdentities.confirmedAt)))
    .returning();
  return confirmed ?? null;
}

export async function listChatIdentities(db: Db, userUuid: string) {
  const { identityUuid, kind, workspace, workspaceName, appId, chatUserId, chatUserName, linkedAt, confirmedAt } = chatIdentities;
  return db
    .select({
      identity_id: identityUuid,
      kind,
      workspace,
      workspace_name: workspaceName,
      app_id: appId,
      chat_user_id: chatUserId,
      chat_user_name: chatUserName,
      linked_at: linkedAt,
      confirmed_at: confirmedAt,
    })
    .from(chatIdentities)
    .where(eq(chatIdentities.userUuid, userUuid))
    .orderBy(asc(identityUuid));
}

/** Returns the deleted account; null where the user has no such account. */
export async function deleteChatIdentity(
  transaction: Transaction,
  userUuid: string,
  identityUuid: string,
): Promise<Omit<ChatAccount, 'appId'> | null> {
  const isOwn = and(eq(chatIdentities.identityUuid, identityUuid), eq(chatIdentities.userUuid, userUuid));
  const [deleted] = await transaction.delete(chatIdentities).where(isOwn).returning();
  return deleted ?? null;
}

function isAccount(account: ChatAccount) {
  return and(isPerson(account), eq(chatIdentities.appId, account.appId));
}

/** In each app of the workspace. */
function isPerson({ kind, workspace, chatUserId }: ChatAccount) {
  return and(eq(chatIdentities.kind, kind), eq(chatIdentities.workspace, workspace), eq(chatIdentities.chatUserId, chatUserId));
}
