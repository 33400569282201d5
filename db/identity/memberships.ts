import { and, eq, isNull, or } from 'drizzle-orm';
import type { Role } from '../../domain/identity/identity.js';
import type { Db } from '../client.js';
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
