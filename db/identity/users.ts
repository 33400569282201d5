import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Db, Transaction } from '../client.js';
import { type PageRequest, toPage } from '../page.js';
import { apiKeys, memberships, organizations, users } from '../schema/index.js';
import { inOrganization } from '../scope.js';

/** Two people or keys that take the same name at the same moment see each other. */
export async function lockNames(transaction: Transaction): Promise<void> {
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended('names of keys and users', 0))`);
}

/** Whether a user has the name. With an organization: a user with a role in it or in all, whom its admins see. */
export async function isUserName(transaction: Transaction, name: string, organizationUuid: string | null = null): Promise<boolean> {
  const isSeen =
    organizationUuid === null
      ? undefined
      : sql`${users.userUuid} in (select user_uuid from memberships where coalesce(organization_uuid, ${organizationUuid}::uuid) = ${organizationUuid}::uuid)`;
  const isSame = and(isNull(users.deactivatedAt), eq(sql`lower(${users.name})`, name.toLowerCase()), isSeen);
  return (await transaction.$count(users, isSame)) > 0;
}

/** Whether a user or the key of a service has the name; with an organization, one that it sees. Decisions show both. */
export async function isNameOfUserOrService(transaction: Transaction, name: string, organizationUuid: string | null): Promise<boolean> {
  const isSeen =
    organizationUuid === null ? undefined : or(isNull(apiKeys.organizationUuid), eq(apiKeys.organizationUuid, organizationUuid));
  const isSame = eq(sql`lower(${apiKeys.name})`, name.toLowerCase());
  const isService = and(isNull(apiKeys.revokedAt), isNull(apiKeys.ownerUuid), isSame, isSeen);
  return (await isUserName(transaction, name, organizationUuid)) || (await transaction.$count(apiKeys, isService)) > 0;
}

/** Whether a local user has the address; with an organization, a user whose address its admins see. */
export async function isLocalAddress(transaction: Transaction, email: string, organizationUuid: string | null): Promise<boolean> {
  return (await transaction.$count(users, and(isActiveLocal(email), isMemberOf(organizationUuid)))) > 0;
}

/** Accounts of several organizations can have the same address. */
function isActiveLocal(email: string): SQL | undefined {
  return and(isNull(users.issuer), isNull(users.deactivatedAt), eq(sql`lower(${users.email})`, email.toLowerCase()));
}

export function countUsers(transaction: Db | Transaction): Promise<number> {
  return transaction.$count(users);
}

const isUnverified = and(isNull(users.subject), isNull(users.vouchedAt), isNull(users.deactivatedAt));

/** The addresses of the active local accounts that the operator has not vouched for, and that may decide. Oldest first. */
export async function listUnverifiedAddresses(db: Db | Transaction, limit: number): Promise<string[]> {
  const canDecide = sql`exists (select from memberships where memberships.user_uuid = ${users.userUuid} and role <> 'sender')`;
  const rows = await db
    .select({ email: users.email })
    .from(users)
    .where(and(isUnverified, isNotNull(users.email), canDecide))
    .orderBy(asc(users.userUuid))
    .limit(limit);
  return rows.flatMap(({ email }) => (email === null ? [] : [email]));
}

/** The active local accounts with the address, whose rows stay locked. */
export async function lockLocalUsers(transaction: Transaction, email: string) {
  const { userUuid, name, vouchedAt } = users;
  return transaction.select({ userUuid, name, vouchedAt }).from(users).where(isActiveLocal(email)).orderBy(asc(userUuid)).for('update');
}

export async function markUserVouched(transaction: Transaction, userUuid: string, vouchedAt: number): Promise<void> {
  await transaction.update(users).set({ vouchedAt }).where(eq(users.userUuid, userUuid));
}

export async function insertUser(transaction: Transaction, row: typeof users.$inferInsert): Promise<void> {
  await transaction.insert(users).values(row);
}

type LocalUser = Pick<typeof users.$inferSelect, 'userUuid' | 'passwordHash' | 'totp'>;

/** The local users who sign in with this address, newest first. */
export async function listLocalUsers(db: Db, email: string): Promise<LocalUser[]> {
  const { userUuid, passwordHash, totp } = users;
  return db.select({ userUuid, passwordHash, totp }).from(users).where(isActiveLocal(email)).orderBy(desc(userUuid));
}

/** What the policies of the sign-in ask of a user. */
export async function readSignInState(db: Db | Transaction, userUuid: string, isTwoFactorMissing: SQL<boolean>) {
  const isLocal = sql<boolean>`${users.issuer} is null`;
  const [found] = await db.select({ isLocal, isTwoFactorMissing }).from(users).where(eq(users.userUuid, userUuid));
  return found ?? null;
}

export async function readUserName(db: Db | Transaction, userUuid: string): Promise<string> {
  const [found] = await db.select({ name: users.name }).from(users).where(eq(users.userUuid, userUuid));
  return found?.name ?? '';
}

/** null: not a local user. */
export async function readPasswordHash(db: Db | Transaction, userUuid: string): Promise<string | null> {
  const [found] = await db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.userUuid, userUuid));
  return found?.passwordHash ?? null;
}

/** False if the password changed in the meantime. */
export async function replacePasswordHash(
  transaction: Transaction,
  userUuid: string,
  before: string,
  passwordHash: string,
): Promise<boolean> {
  const isSame = and(eq(users.userUuid, userUuid), eq(users.passwordHash, before));
  return (await transaction.update(users).set({ passwordHash }).where(isSame).returning({ userUuid: users.userUuid })).length > 0;
}

/** The users that an admin of the scope may see: those with a membership in it. */
export function isMemberOf(scope: string | null): SQL | undefined {
  if (scope === null) return undefined;
  return sql`${users.userUuid} in (select user_uuid from memberships where organization_uuid = ${scope}::uuid)`;
}

export async function isUserOf(db: Db | Transaction, scope: string | null, userUuid: string): Promise<boolean> {
  return (await db.$count(users, and(eq(users.userUuid, userUuid), isMemberOf(scope)))) > 0;
}

export async function listUsers(db: Db, scope: string | null, page: PageRequest) {
  const rows = await db
    .select({
      user_uuid: users.userUuid,
      name: users.name,
      email: users.email,
      is_local: sql<boolean>`${users.issuer} is null`,
      is_vouched: sql<boolean>`${users.vouchedAt} is not null`,
      created_at: users.createdAt,
      last_sign_in_at: users.lastSignInAt,
      deactivated_at: users.deactivatedAt,
    })
    .from(users)
    .where(and(isMemberOf(scope), page.after === null ? undefined : gt(users.userUuid, page.after)))
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
    .where(and(inArray(memberships.userUuid, [...userUuids]), inOrganization(memberships.organizationUuid, scope)))
    .orderBy(asc(memberships.membershipUuid));
}

/** null where the scope has no such user. */
export async function lockUser(transaction: Transaction, scope: string | null, userUuid: string) {
  const [found] = await transaction
    .select({ deactivatedAt: users.deactivatedAt, name: users.name })
    .from(users)
    .where(and(eq(users.userUuid, userUuid), isMemberOf(scope)))
    .for('update');
  return found ?? null;
}

export async function hasMembershipOutside(transaction: Transaction, userUuid: string, scope: string): Promise<boolean> {
  const isOutside = or(isNull(memberships.organizationUuid), sql`${memberships.organizationUuid} <> ${scope}::uuid`);
  return (await transaction.$count(memberships, and(eq(memberships.userUuid, userUuid), isOutside))) > 0;
}

/** The row stays, because decisions and the audit log lead to it. */
export async function markUserDeactivated(transaction: Transaction, userUuid: string, deactivatedAt: number): Promise<void> {
  await transaction
    .update(users)
    .set({ deactivatedAt, passwordHash: null, totp: null, totpPending: null })
    .where(eq(users.userUuid, userUuid));
}
