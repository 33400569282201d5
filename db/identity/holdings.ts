import { and, eq, gt, isNull, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { type Principal, Role } from '../../domain/identity/identity.js';
import type { Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import {
  apiKeys,
  chatIdentities,
  chatLinkCodes,
  connections,
  invitations,
  memberships,
  providerTokens,
  remoteAgents,
  ruleChanges,
  userSessions,
  users,
} from '../schema/index.js';

const ranks = sql.raw(`array[${Role.options.map((role) => `'${role}'`).join(', ')}]`);

/** Whether the user is active and has at least the role in the organization of the row (null: all). */
export function hasRole(userUuid: string, organizationUuid: SQLWrapper, role: SQLWrapper | Role): SQL {
  return sql`exists (
    select from ${memberships} join ${users} using (user_uuid)
    where ${memberships.userUuid} = ${userUuid} and ${users.deactivatedAt} is null
      and (${memberships.organizationUuid} is null or ${memberships.organizationUuid} = ${organizationUuid})
      and array_position(${ranks}, ${memberships.role}) >= array_position(${ranks}, ${role}::text))`;
}

/** Locks the row against a change of the person's access. null: deactivated. */
export async function lockActiveUser(transaction: Transaction, userUuid: string): Promise<{ name: string } | null> {
  const isWanted = and(eq(users.userUuid, userUuid), isNull(users.deactivatedAt));
  const [found] = await transaction.select({ name: users.name }).from(users).where(isWanted).for('share');
  return found ?? null;
}

/** Waits for commands of the person that create something. */
export async function lockForEnd(transaction: Transaction, userUuid: string): Promise<void> {
  await transaction.select({ userUuid: users.userUuid }).from(users).where(eq(users.userUuid, userUuid)).for('update');
}

/** The person whose access ends the key. */
export async function readHolder(transaction: Transaction, keyUuid: string): Promise<string | null> {
  const [found] = await transaction
    .select({ holderUuid: sql<string | null>`coalesce(${apiKeys.ownerUuid}, ${apiKeys.holderUuid})` })
    .from(apiKeys)
    .where(eq(apiKeys.keyUuid, keyUuid));
  return found?.holderUuid ?? null;
}

/** Locks the row of the key against a revocation. */
export async function lockUnrevoked(transaction: Transaction, { uuid }: Pick<Principal, 'uuid'>): Promise<boolean> {
  const [found] = await transaction.select({ revokedAt: apiKeys.revokedAt }).from(apiKeys).where(eq(apiKeys.keyUuid, uuid)).for('share');
  return found === undefined || found.revokedAt === null;
}

export async function hasAnyRole(transaction: Transaction, userUuid: string): Promise<boolean> {
  const rows = await transaction
    .select({ role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.userUuid, memberships.userUuid))
    .where(and(eq(memberships.userUuid, userUuid), isNull(users.deactivatedAt)))
    .limit(1);
  return rows.length > 0;
}

/** Revokes keys that the person no longer has a role for: own ones, and those of services, which must not give more than the person has. */
export async function endKeys(transaction: Transaction, userUuid: string, revokedAt: number) {
  const ofUser = and(eq(apiKeys.ownerUuid, userUuid), sql`not ${hasRole(userUuid, apiKeys.organizationUuid, 'sender')}`);
  const ofService = and(eq(apiKeys.holderUuid, userUuid), sql`not ${hasRole(userUuid, apiKeys.organizationUuid, apiKeys.role)}`);
  return transaction
    .update(apiKeys)
    .set({ revokedAt })
    .where(and(isNull(apiKeys.revokedAt), or(ofUser, ofService)))
    .returning({ uuid: apiKeys.keyUuid, name: apiKeys.name, organizationUuid: apiKeys.organizationUuid, ownerUuid: apiKeys.ownerUuid });
}

/** Only admins create the rest, so it ends where the person is no admin any more. */
export async function endInvitations(transaction: Transaction, userUuid: string, endedAt: number) {
  const isOpen = and(isNull(invitations.endedAt), gt(invitations.expiresAt, endedAt));
  return transaction
    .update(invitations)
    .set({ endedAt })
    .where(and(eq(invitations.holderUuid, userUuid), isOpen, sql`not ${hasRole(userUuid, invitations.organizationUuid, 'admin')}`))
    .returning({ uuid: invitations.invitationUuid, name: invitations.email, organizationUuid: invitations.organizationUuid });
}

export async function endAgents(transaction: Transaction, userUuid: string, revokedAt: number) {
  return transaction
    .update(remoteAgents)
    .set({ revokedAt })
    .where(
      and(
        eq(remoteAgents.holderUuid, userUuid),
        isNull(remoteAgents.revokedAt),
        sql`not ${hasRole(userUuid, remoteAgents.organizationUuid, 'admin')}`,
      ),
    )
    .returning({ uuid: remoteAgents.agentUuid, name: remoteAgents.name, organizationUuid: remoteAgents.organizationUuid });
}

/** Whether the person may keep a credential link of the organization. */
export function mayHoldLink(userUuid: string, organizationUuid: SQLWrapper): SQL {
  return hasRole(userUuid, organizationUuid, 'admin');
}

/** The connections of the agent, in the order in which every command locks them. */
export async function listConnectionsOfAgent(transaction: Transaction, agentUuid: string) {
  return transaction
    .select({ connectionUuid: connections.connectionUuid, generation: connections.generation })
    .from(connections)
    .where(eq(connections.remoteAgentUuid, agentUuid))
    .orderBy(connections.connectionUuid);
}

/** For a person without any role. Returns the numbers. */
export async function endPersonalAccess(transaction: Transaction, userUuid: string, revokedAt: number) {
  const isOpen = and(eq(userSessions.userUuid, userUuid), isNull(userSessions.revokedAt), gt(userSessions.endsAt, nowSeconds()));
  const sessions = await transaction.update(userSessions).set({ revokedAt }).where(isOpen).returning({ id: userSessions.sessionUuid });
  const accounts = await transaction
    .delete(chatIdentities)
    .where(eq(chatIdentities.userUuid, userUuid))
    .returning({ id: chatIdentities.identityUuid });
  const codes = await transaction
    .delete(chatLinkCodes)
    .where(eq(chatLinkCodes.userUuid, userUuid))
    .returning({ id: chatLinkCodes.userUuid });
  const changes = await transaction
    .delete(ruleChanges)
    .where(eq(ruleChanges.askedByUserUuid, userUuid))
    .returning({ id: ruleChanges.target });
  await transaction.delete(providerTokens).where(eq(providerTokens.userUuid, userUuid));
  return {
    sessions: sessions.length,
    chat_accounts: accounts.length,
    chat_link_codes: codes.length,
    rule_changes: changes.length,
  };
}
