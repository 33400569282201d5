import { and, asc, desc, eq, getTableColumns, gt, inArray, isNotNull, isNull, lt, ne, notInArray, or, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Principal, Role } from '../../domain/identity/identity.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { type PageRequest, toPage } from '../page.js';
import { memberships, organizations, userSessions, users } from '../schema/index.js';
import { hashToken } from '../tokens.js';
import { announceEnd, type KnownCredential } from './credentials.js';
import { isMemberOf } from './users.js';

/** A cookie value of this form is a session, any other is an API key. */
export const SESSION_PREFIX = 'us';
const TOKEN = /^us_[\w-]{43}$/;

export interface SessionLimits {
  readonly idleSeconds: number;
  readonly absoluteSeconds: number;
  /** Every local user needs two-factor authentication. Default: only those of organizations that require it. */
  readonly requiresTwoFactor?: boolean;
  /** Default: true. */
  readonly allowsLocalUsers?: boolean;
}

/** Each use within this time counts as one, so that a request rarely costs a write. */
const SEEN_EVERY_SECONDS = 60;

/** The rows of ended sessions stay for this time; the audit log keeps each sign-in. */
const KEPT_SECONDS = 90 * 86_400;

export function isSessionToken(token: string): boolean {
  return TOKEN.test(token);
}

/** Also deletes the user's sessions that ended long ago, and ends the oldest ones beyond the limit. */
export async function insertSession(
  transaction: Transaction,
  token: string,
  row: Omit<typeof userSessions.$inferInsert, 'tokenHash'>,
  maxOpen: number,
): Promise<void> {
  const isOld = and(eq(userSessions.userUuid, row.userUuid), lt(userSessions.endsAt, row.createdAt - KEPT_SECONDS));
  await transaction.delete(userSessions).where(isOld);
  await transaction.insert(userSessions).values({ ...row, tokenHash: hashToken(token) });
  const isOpenOfUser = and(eq(userSessions.userUuid, row.userUuid), isNull(userSessions.revokedAt), gt(userSessions.endsAt, row.createdAt));
  const newest = transaction
    .select({ sessionUuid: userSessions.sessionUuid })
    .from(userSessions)
    .where(isOpenOfUser)
    .orderBy(desc(userSessions.sessionUuid))
    .limit(maxOpen);
  const ended = await transaction
    .update(userSessions)
    .set({ revokedAt: row.createdAt })
    .where(and(isOpenOfUser, notInArray(userSessions.sessionUuid, newest)))
    .returning({ sessionUuid: userSessions.sessionUuid });
  if (ended.length > 0) await announceEnd(transaction);
}

/** Returns the name of the user. */
export async function noteSignIn(transaction: Transaction, userUuid: string, lastSignInAt: number): Promise<string> {
  const [user] = await transaction.update(users).set({ lastSignInAt }).where(eq(users.userUuid, userUuid)).returning({ name: users.name });
  return user?.name ?? '';
}

function isOpen(idleSeconds: number): SQL | undefined {
  const now = nowSeconds();
  return and(isNull(userSessions.revokedAt), gt(userSessions.endsAt, now), gt(userSessions.lastSeenAt, now - idleSeconds));
}

function activeMembershipFirst(): SQL[] {
  return [
    desc(sql`${memberships.membershipUuid} is not distinct from ${userSessions.membershipUuid}`),
    desc(isNull(memberships.organizationUuid)),
    asc(memberships.membershipUuid),
  ];
}

/** A local user without an authenticator app, where the operator or the organization (null: one of all) requires two-factor authentication. */
export function isTwoFactorMissing(requiresTwoFactor: boolean, organizationUuid: AnyPgColumn | string): SQL<boolean> {
  return sql<boolean>`${users.issuer} is null and ${users.totp} is null and (${requiresTwoFactor}::boolean or exists (
    select from organizations where requires_two_factor and organization_uuid = coalesce(${organizationUuid}, organization_uuid)))`;
}

/** The session has the rights of its active membership, or of the first one. A user without a membership has none. */
export async function findBySession(db: Db, token: string, limits: SessionLimits): Promise<KnownCredential | null> {
  const { idleSeconds, requiresTwoFactor = false, allowsLocalUsers = true } = limits;
  const { role: membershipRole, organizationUuid: ofOrganization } = memberships;
  const needsTwoFactor = isTwoFactorMissing(requiresTwoFactor, ofOrganization);
  const [row] = await db
    .select({
      ...getTableColumns(userSessions),
      name: users.name,
      accessUntil: users.accessUntil,
      role: membershipRole,
      organizationUuid: ofOrganization,
      needsTwoFactor,
    })
    .from(userSessions)
    .innerJoin(users, eq(users.userUuid, userSessions.userUuid))
    .innerJoin(memberships, eq(memberships.userUuid, users.userUuid))
    .where(
      and(
        eq(userSessions.tokenHash, hashToken(token)),
        isOpen(idleSeconds),
        isNull(users.deactivatedAt),
        allowsLocalUsers ? undefined : isNotNull(users.issuer),
      ),
    )
    .orderBy(...activeMembershipFirst())
    .limit(1);
  if (!row) return null;
  const { sessionUuid, userUuid, name, role, organizationUuid, endsAt } = row;
  const now = nowSeconds();
  if (row.lastSeenAt <= now - SEEN_EVERY_SECONDS)
    await db.update(userSessions).set({ lastSeenAt: now }).where(eq(userSessions.sessionUuid, sessionUuid));
  const principal = {
    ...{ uuid: userUuid, name, role, organizationUuid, personUuid: userUuid, userUuid, sessionUuid },
    ...(row.needsTwoFactor ? { needsTwoFactor: true as const } : {}),
  };
  return { principal, expiresAt: endsAt, accessUntil: row.accessUntil };
}

/** Those of the sessions that are still open, each with the organization and the role that it has now. */
export async function listOpenSessions(
  db: Db,
  sessionUuids: readonly string[],
  idleSeconds: number,
): Promise<{ sessionUuid: string; organizationUuid: string | null; role: Role }[]> {
  const { role, organizationUuid } = memberships;
  return db
    .selectDistinctOn([userSessions.sessionUuid], { sessionUuid: userSessions.sessionUuid, organizationUuid, role })
    .from(userSessions)
    .innerJoin(users, eq(users.userUuid, userSessions.userUuid))
    .innerJoin(memberships, eq(memberships.userUuid, users.userUuid))
    .where(
      and(
        inArray(userSessions.sessionUuid, [...sessionUuids]),
        isOpen(idleSeconds),
        isNull(users.deactivatedAt),
        or(isNull(users.accessUntil), gt(users.accessUntil, nowSeconds())),
      ),
    )
    .orderBy(asc(userSessions.sessionUuid), ...activeMembershipFirst());
}

/** An admin sees the sessions of all users of the scope, another user only their own. */
function isVisible(by: Principal): SQL | undefined {
  const own = eq(userSessions.userUuid, by.userUuid ?? by.uuid);
  return by.role === 'admin' ? isMemberOf(by.organizationUuid) : own;
}

export async function listSessions(db: Db, by: Principal, idleSeconds: number, page: PageRequest) {
  const rows = await db
    .select({
      session_uuid: userSessions.sessionUuid,
      user_uuid: userSessions.userUuid,
      name: users.name,
      client: userSessions.client,
      created_at: userSessions.createdAt,
      last_seen_at: userSessions.lastSeenAt,
      ends_at: userSessions.endsAt,
      is_current: sql<boolean>`coalesce(${userSessions.sessionUuid} = ${by.sessionUuid}::uuid, false)`,
    })
    .from(userSessions)
    .innerJoin(users, eq(users.userUuid, userSessions.userUuid))
    .where(and(isVisible(by), isOpen(idleSeconds), page.after === null ? undefined : gt(userSessions.sessionUuid, page.after)))
    .orderBy(asc(userSessions.sessionUuid))
    .limit(page.limit + 1);
  return toPage(rows, page, (row) => row.session_uuid);
}

/** Whether the caller sees the session, and it was not ended. */
export async function isRevocable(transaction: Transaction, by: Principal, sessionUuid: string): Promise<boolean> {
  const found = await transaction
    .select({ sessionUuid: userSessions.sessionUuid })
    .from(userSessions)
    .innerJoin(users, eq(users.userUuid, userSessions.userUuid))
    .where(and(eq(userSessions.sessionUuid, sessionUuid), isNull(userSessions.revokedAt), isVisible(by)));
  return found.length > 0;
}

export async function isOpenSession(db: Db | Transaction, token: string): Promise<boolean> {
  return (await db.$count(userSessions, and(eq(userSessions.tokenHash, hashToken(token)), isNull(userSessions.revokedAt)))) > 0;
}

/** Ends the session with the id or the token, and returns it. null: there is none, so nothing changed. */
export async function markSessionEnded(
  db: Db | Transaction,
  wanted: { sessionUuid: string } | { token: string },
  revokedAt: number,
): Promise<{ sessionUuid: string; userUuid: string } | null> {
  const isWanted =
    'token' in wanted ? eq(userSessions.tokenHash, hashToken(wanted.token)) : eq(userSessions.sessionUuid, wanted.sessionUuid);
  const { sessionUuid, userUuid } = userSessions;
  const [ended] = await db
    .update(userSessions)
    .set({ revokedAt })
    .where(and(isWanted, isNull(userSessions.revokedAt)))
    .returning({ sessionUuid, userUuid });
  if (ended) await announceEnd(db);
  return ended ?? null;
}

/** The membership of a user who can sign in with it, in the organization or in all (null). */
export async function findMembership(db: Db | Transaction, userUuid: string, organizationCode: string | null): Promise<string | null> {
  const [found] = await db
    .select({ membershipUuid: memberships.membershipUuid })
    .from(memberships)
    .leftJoin(organizations, eq(organizations.organizationUuid, memberships.organizationUuid))
    .where(
      and(
        eq(memberships.userUuid, userUuid),
        ne(memberships.role, 'sender'),
        organizationCode === null ? isNull(memberships.organizationUuid) : eq(organizations.organizationCode, organizationCode),
      ),
    );
  return found?.membershipUuid ?? null;
}

export async function setActiveMembership(db: Db | Transaction, sessionUuid: string, membershipUuid: string): Promise<void> {
  await db.update(userSessions).set({ membershipUuid }).where(eq(userSessions.sessionUuid, sessionUuid));
  await announceEnd(db);
}

/** The time at which the user of the session last proved who they are. */
export async function readVerifiedAt(db: Db | Transaction, sessionUuid: string): Promise<number> {
  const { verifiedAt, createdAt } = userSessions;
  const [found] = await db.select({ verifiedAt, createdAt }).from(userSessions).where(eq(userSessions.sessionUuid, sessionUuid));
  return found?.verifiedAt ?? found?.createdAt ?? 0;
}

export async function markVerified(transaction: Transaction, sessionUuid: string, verifiedAt: number): Promise<void> {
  await transaction.update(userSessions).set({ verifiedAt }).where(eq(userSessions.sessionUuid, sessionUuid));
}

/** Ends the open sessions of the user except one. */
export async function markOtherSessionsEnded(
  transaction: Transaction,
  { userUuid, sessionUuid }: { userUuid: string; sessionUuid: string },
  revokedAt: number,
): Promise<void> {
  const isOther = and(eq(userSessions.userUuid, userUuid), ne(userSessions.sessionUuid, sessionUuid), isNull(userSessions.revokedAt));
  await transaction.update(userSessions).set({ revokedAt }).where(isOther);
}
