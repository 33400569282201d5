import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import type { Role } from '../../domain/identity/identity.js';
import type { Db, Transaction } from '../client.js';
import { newUuid } from '../ids.js';
import { memberships, users } from '../schema/index.js';

/** The role of an active user in an organization, or in all (null). A membership in all organizations includes each of them. */
export async function findMembershipRole(db: Db, userUuid: string, organizationUuid: string | null): Promise<Role | null> {
  const isAll = isNull(memberships.organizationUuid);
  const rows = await db
    .select({ role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.userUuid, memberships.userUuid))
    .where(
      and(
        eq(memberships.userUuid, userUuid),
        isNull(users.deactivatedAt),
        organizationUuid === null ? isAll : or(isAll, eq(memberships.organizationUuid, organizationUuid)),
      ),
    );
  const roles = rows.map(({ role }) => role);
  return roles.includes('admin') ? 'admin' : (roles.find((role) => role === 'analyst') ?? roles[0] ?? null);
}

/** A second membership in the same organization replaces the first one. */
export async function saveMembership(
  transaction: Transaction,
  row: { userUuid: string; organizationUuid: string | null; role: Role; fromClaims: boolean },
): Promise<void> {
  const { role, fromClaims } = row;
  await transaction
    .insert(memberships)
    .values({ membershipUuid: newUuid(), ...row })
    .onConflictDoUpdate({ target: [memberships.userUuid, memberships.organizationUuid], set: { role, fromClaims } });
}

/** Whether the user has a role in this organization and in no other. */
export async function isOnlyMemberOf(transaction: Transaction, userUuid: string, organizationUuid: string): Promise<boolean> {
  const rows = await transaction.select({ of: memberships.organizationUuid }).from(memberships).where(eq(memberships.userUuid, userUuid));
  return rows.length > 0 && rows.every(({ of }) => of === organizationUuid);
}

export async function listUserMemberships(transaction: Transaction, userUuid: string) {
  return transaction.select().from(memberships).where(eq(memberships.userUuid, userUuid));
}

export async function deleteMemberships(transaction: Transaction, membershipUuids: readonly string[]): Promise<void> {
  await transaction.delete(memberships).where(inArray(memberships.membershipUuid, [...membershipUuids]));
}
