import { and, asc, desc, eq, getTableColumns, gt, inArray, isNull, lt, ne, type SQL, sql } from 'drizzle-orm';
import type { Principal } from '../../domain/identity/identity.js';
import type { UserSession } from '../../domain/identity/user.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { newUuid } from '../ids.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { memberships, organizations, userSessions, users } from '../schema/index.js';
import { hashToken, newToken } from '../tokens.js';
import { recordAudit } from './audit.js';
import { announceEnd, type KnownCredential } from './credentials.js';
import { inScope } from './users.js';

/** A cookie value of this form is a session, any other is an API key. */
const PREFIX = 'us';
const TOKEN = /^us_[\w-]{43}$/;

export interface SessionLimits {
  readonly idleSeconds: number;
  readonly absoluteSeconds: number;
}

/** Each use within this time counts as one, so that a request rarely costs a write. */
const SEEN_EVERY_SECONDS = 60;

/** The rows of ended sessions stay for this time; the audit log keeps each sign-in. */
const KEPT_SECONDS = 90 * 86_400;

export function isSessionToken(token: string): boolean {
  return TOKEN.test(token);
}

/** Starts a session under a new token, and notes the sign-in. */
export async function startSession(
  transaction: Transaction,
  userUuid: string,
  { client, absoluteSeconds }: { client: string; absoluteSeconds: number },
): Promise<string> {
  const token = newToken(PREFIX);
  const now = nowSeconds();
  const isOld = and(eq(userSessions.userUuid, userUuid), lt(userSessions.endsAt, now - KEPT_SECONDS));
  await transaction.delete(userSessions).where(isOld);
  const session = { sessionUuid: newUuid(), userUuid, tokenHash: hashToken(token), client, createdAt: now, lastSeenAt: now };
  await transaction.insert(userSessions).values({ ...session, endsAt: now + absoluteSeconds });
  const [user] = await transaction
    .update(users)
    .set({ lastSignInAt: now })
    .where(eq(users.userUuid, userUuid))
    .returning({ name: users.name });
  const by = { uuid: userUuid, name: user?.name ?? '' };
  await recordAudit(transaction, { by, organizationUuid: null, action: 'session.start', target: session.sessionUuid });
  return token;
}

function isOpen(idleSeconds: number): SQL | undefined {
  const now = nowSeconds();
  return and(isNull(userSessions.revokedAt), gt(userSessions.endsAt, now), gt(userSessions.lastSeenAt, now - idleSeconds));
}

/** The session has the rights of its active membership, or of the first one. A user without a membership has none. */
export async function findBySession(db: Db, token: string, { idleSeconds }: SessionLimits): Promise<KnownCredential | null> {
  const [row] = await db
    .select({ ...getTableColumns(userSessions), name: users.name, role: memberships.role, organizationUuid: memberships.organizationUuid })
    .from(userSessions)
    .innerJoin(users, eq(users.userUuid, userSessions.userUuid))
    .innerJoin(memberships, eq(memberships.userUuid, users.userUuid))
    .where(and(eq(userSessions.tokenHash, hashToken(token)), isOpen(idleSeconds), isNull(users.deactivatedAt)))
    .orderBy(
      desc(sql`${memberships.membershipUuid} is not distinct from ${userSessions.membershipUuid}`),
      desc(isNull(memberships.organizationUuid)),
      asc(memberships.membershipUuid),
    )
    .limit(1);
  if (!row) return null;
  const { sessionUuid, userUuid, name, role, organizationUuid, endsAt } = row;
  const now = nowSeconds();
  if (row.lastSeenAt <= now - SEEN_EVERY_SECONDS)
    await db.update(userSessions).set({ lastSeenAt: now }).where(eq(userSessions.sessionUuid, sessionUuid));
  const principal = { uuid: userUuid, name, role, organizationUuid, personUuid: userUuid, userUuid, sessionUuid };
  return { principal, expiresAt: endsAt };
}

/** Those of the sessions that are still open. */
export async function listOpenSessions(db: Db, sessionUuids: readonly string[], idleSeconds: number): Promise<string[]> {
  const rows = await db
    .select({ sessionUuid: userSessions.sessionUuid })
    .from(userSessions)
    .where(and(inArray(userSessions.sessionUuid, [...sessionUuids]), isOpen(idleSeconds)));
  return rows.map(({ sessionUuid }) => sessionUuid);
}

/** An admin sees the sessions of all users of the scope, another user only their own. */
function isVisible(by: Principal): SQL | undefined {
  const own = eq(userSessions.userUuid, by.userUuid ?? by.uuid);
  return by.role === 'admin' ? inScope(by.organizationUuid) : own;
}

export async function listSessions(db: Db, by: Principal, idleSeconds: number, page: PageRequest): Promise<Page<UserSession>> {
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

/** False where the caller sees no such session. */
export async function revokeSession(db: Db, by: Principal, sessionUuid: string): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const [found] = await transaction
      .select({ sessionUuid: userSessions.sessionUuid })
      .from(userSessions)
      .innerJoin(users, eq(users.userUuid, userSessions.userUuid))
      .where(and(eq(userSessions.sessionUuid, sessionUuid), isNull(userSessions.revokedAt), isVisible(by)));
    if (!found) return false;
    await endSession(transaction, eq(userSessions.sessionUuid, sessionUuid));
    await recordAudit(transaction, { by, organizationUuid: by.organizationUuid, action: 'session.revoke', target: sessionUuid });
    return true;
  });
}

/** Signs out: ends the session of the token, if it is one. */
export async function endSessionOf(db: Db | Transaction, token: string): Promise<void> {
  await endSession(db, eq(userSessions.tokenHash, hashToken(token)));
}

async function endSession(db: Db | Transaction, isWanted: SQL): Promise<void> {
  await db
    .update(userSessions)
    .set({ revokedAt: nowSeconds() })
    .where(and(isWanted, isNull(userSessions.revokedAt)));
  await announceEnd(db);
}

/** Selects the active membership of a session. False where the user has no membership in the organization (null: in all). */
export async function selectMembership(db: Db, by: Principal, organizationCode: string | null): Promise<boolean> {
  if (by.sessionUuid === null) return false;
  const [found] = await db
    .select({ membershipUuid: memberships.membershipUuid })
    .from(memberships)
    .leftJoin(organizations, eq(organizations.organizationUuid, memberships.organizationUuid))
    .where(
      and(
        eq(memberships.userUuid, by.uuid),
        ne(memberships.role, 'sender'),
        organizationCode === null ? isNull(memberships.organizationUuid) : eq(organizations.organizationCode, organizationCode),
      ),
    );
  if (!found) return false;
  await db.update(userSessions).set(found).where(eq(userSessions.sessionUuid, by.sessionUuid));
  await announceEnd(db);
  return true;
}
