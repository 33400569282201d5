import { and, asc, eq, gt, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Principal, Role } from '../../domain/identity/identity.js';
import type { User } from '../../domain/identity/user.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { newUuid } from '../ids.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { apiKeys, memberships, organizations, userSessions, users } from '../schema/index.js';
import { recordAudit } from './audit.js';
import { removeChatIdentities } from './chat-identities.js';
import { announceEnd } from './credentials.js';

/** Two people or keys that take the same name at the same moment see each other. */
export async function lockNames(transaction: Transaction): Promise<void> {
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended('names of keys and users', 0))`);
}

export async function isUserName(transaction: Transaction, name: string): Promise<boolean> {
  return (await transaction.$count(users, and(isNull(users.deactivatedAt), eq(sql`lower(${users.name})`, name.toLowerCase())))) > 0;
}

/** Whether a user or the key of a service has the name. Decisions show both. */
async function isTaken(transaction: Transaction, name: string): Promise<boolean> {
  const isService = and(isNull(apiKeys.revokedAt), isNull(apiKeys.ownerUuid), eq(sql`lower(${apiKeys.name})`, name.toLowerCase()));
  return (await isUserName(transaction, name)) || (await transaction.$count(apiKeys, isService)) > 0;
}

/** Ends the transaction of a new user. */
export class NameTaken extends Error {
  readonly field: 'name' | 'email';

  constructor(field: 'name' | 'email') {
    super(`The ${field} is taken.`);
    this.field = field;
  }
}

interface NewUser {
  readonly name: string;
  readonly email: string | null;
  readonly passwordHash: string | null;
  readonly provider: { readonly issuer: string; readonly subject: string } | null;
}

/** Throws NameTaken if another user or a service has the name, or another local user has the address. */
export async function createUser(transaction: Transaction, given: NewUser): Promise<string> {
  const { name, email, passwordHash, provider } = given;
  await lockNames(transaction);
  const isSameAddress = and(
    isNull(users.issuer),
    isNull(users.deactivatedAt),
    eq(sql`lower(${users.email})`, email?.toLowerCase() ?? null),
  );
  const isKnown = provider === null && email !== null && (await transaction.$count(users, isSameAddress)) > 0;
  if (isKnown) throw new NameTaken('email');
  if (await isTaken(transaction, name)) throw new NameTaken('name');
  const userUuid = newUuid();
  await transaction.insert(users).values({ userUuid, name, email, passwordHash, ...provider, createdAt: nowSeconds() });
  return userUuid;
}

export async function addMembership(
  transaction: Transaction,
  userUuid: string,
  { organizationUuid, role, fromClaims }: { organizationUuid: string | null; role: Role; fromClaims: boolean },
): Promise<void> {
  await transaction
    .insert(memberships)
    .values({ membershipUuid: newUuid(), userUuid, organizationUuid, role, fromClaims })
    .onConflictDoUpdate({ target: [memberships.userUuid, memberships.organizationUuid], set: { role, fromClaims } });
}

type LocalUser = Pick<typeof users.$inferSelect, 'userUuid' | 'passwordHash' | 'totp'>;

/** The local user who signs in with this address. */
export async function findLocalUser(db: Db, email: string): Promise<LocalUser | null> {
  const isWanted = and(eq(sql`lower(${users.email})`, email.toLowerCase()), isNull(users.issuer), isNull(users.deactivatedAt));
  const { userUuid, passwordHash, totp } = users;
  const [found] = await db.select({ userUuid, passwordHash, totp }).from(users).where(isWanted);
  return found ?? null;
}

/** The users that an admin of the scope may see: those with a membership in it. */
export function inScope(scope: string | null): SQL | undefined {
  if (scope === null) return undefined;
  return sql`${users.userUuid} in (select user_uuid from memberships where organization_uuid = ${scope}::uuid)`;
}

export async function listUsers(db: Db, scope: string | null, page: PageRequest): Promise<Page<User>> {
  const rows = await db
    .select({
      user_uuid: users.userUuid,
      name: users.name,
      email: users.email,
      is_local: sql<boolean>`${users.issuer} is null`,
      created_at: users.createdAt,
      last_sign_in_at: users.lastSignInAt,
      deactivated_at: users.deactivatedAt,
    })
    .from(users)
    .where(and(inScope(scope), page.after === null ? undefined : gt(users.userUuid, page.after)))
    .orderBy(asc(users.userUuid))
    .limit(page.limit + 1);
  const held = await listMemberships(
    db,
    rows.map(({ user_uuid }) => user_uuid),
    scope,
  );
  const members = rows.map((row) => ({
    ...row,
    memberships: held
      .filter(({ userUuid }) => userUuid === row.user_uuid)
      .map(({ organization_code, role }) => ({ organization_code, role })),
  }));
  return toPage(members, page, (row) => row.user_uuid);
}

export async function listMemberships(db: Db | Transaction, userUuids: readonly string[], scope: string | null = null) {
  return db
    .select({
      userUuid: memberships.userUuid,
      membershipUuid: memberships.membershipUuid,
      organization_code: organizations.organizationCode,
      role: memberships.role,
    })
    .from(memberships)
    .leftJoin(organizations, eq(organizations.organizationUuid, memberships.organizationUuid))
    .where(and(inArray(memberships.userUuid, [...userUuids]), scope === null ? undefined : eq(memberships.organizationUuid, scope)))
    .orderBy(asc(memberships.membershipUuid));
}

/** `foreign`: the user also belongs to organizations outside the caller's scope. */
export type Deactivated = 'done' | 'missing' | 'foreign';

/** Ends the sessions and keys of a user. The row stays, because decisions and the audit log lead to it. */
export async function deactivateUser(db: Db, by: Principal, userUuid: string): Promise<Deactivated> {
  return db.transaction(async (transaction) => {
    const scope = by.organizationUuid;
    const isWanted = and(eq(users.userUuid, userUuid), inScope(scope));
    const [found] = await transaction
      .select({ deactivatedAt: users.deactivatedAt, name: users.name })
      .from(users)
      .where(isWanted)
      .for('update');
    if (!found) return 'missing';
    const isOutside = or(isNull(memberships.organizationUuid), sql`${memberships.organizationUuid} <> ${scope}::uuid`);
    if (scope !== null && (await transaction.$count(memberships, and(eq(memberships.userUuid, userUuid), isOutside))) > 0) return 'foreign';
    if (found.deactivatedAt !== null) return 'done';
    const now = nowSeconds();
    await transaction
      .update(users)
      .set({ deactivatedAt: now, passwordHash: null, totp: null, totpPending: null })
      .where(eq(users.userUuid, userUuid));
    await transaction
      .update(userSessions)
      .set({ revokedAt: now })
      .where(and(eq(userSessions.userUuid, userUuid), isNull(userSessions.revokedAt)));
    await removeChatIdentities(transaction, userUuid);
    const details = { name: found.name };
    await recordAudit(transaction, { by, organizationUuid: scope, action: 'user.deactivate', target: userUuid, details });
    await announceEnd(transaction);
    return 'done';
  });
}
