import { timingSafeEqual } from 'node:crypto';
import { and, asc, eq, getTableColumns, gt, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import { lowerRole } from '../../domain/identity/identity.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { type PageRequest, toPage } from '../page.js';
import { apiKeys, organizations, users } from '../schema/index.js';
import { inOrganization } from '../scope.js';
import { hashToken, newToken } from '../tokens.js';
import type { KnownCredential } from './credentials.js';
import { findMembershipRole } from './memberships.js';

export function newApiKey(): string {
  return newToken('ai');
}

function hashApiKey(apiKey: string): { lookup: string; hash: string } {
  const hash = hashToken(apiKey);
  return { lookup: hash.slice(0, 32), hash };
}

/** A key acts for its owner: it has the owner's name, and at most the rights of the owner's membership. */
export async function findByApiKey(db: Db, apiKey: string): Promise<KnownCredential | null> {
  const { lookup, hash } = hashApiKey(apiKey);
  const [row] = await db
    .select({ ...getTableColumns(apiKeys), ownerName: users.name, accessUntil: users.accessUntil })
    .from(apiKeys)
    .leftJoin(users, eq(users.userUuid, apiKeys.ownerUuid))
    .where(and(eq(apiKeys.lookup, lookup), isNull(apiKeys.revokedAt)));
  if (!row || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash))) return null;
  const { keyUuid: uuid, organizationUuid, ownerUuid, expiresAt } = row;
  const ownerRole = ownerUuid === null ? 'admin' : await findMembershipRole(db, ownerUuid, organizationUuid);
  if (ownerRole === null) return null;
  const owner = { personUuid: row.personUuid ?? uuid, userUuid: ownerUuid, sessionUuid: null };
  return {
    principal: { uuid, name: row.ownerName ?? row.name, role: lowerRole(row.role, ownerRole), organizationUuid, ...owner },
    expiresAt,
    accessUntil: row.accessUntil,
  };
}

/** Those of the keys that are neither revoked nor expired, and whose owner is active and a member. */
export async function listUsableKeys(db: Db, keyUuids: readonly string[]): Promise<string[]> {
  const rows = await db
    .select({ keyUuid: apiKeys.keyUuid })
    .from(apiKeys)
    .leftJoin(users, eq(users.userUuid, apiKeys.ownerUuid))
    .where(
      and(
        inArray(apiKeys.keyUuid, [...keyUuids]),
        isNull(apiKeys.revokedAt),
        isNull(users.deactivatedAt),
        or(isNull(users.accessUntil), gt(users.accessUntil, nowSeconds())),
        sql`(${apiKeys.ownerUuid} is null or exists (
          select from memberships where memberships.user_uuid = ${apiKeys.ownerUuid}
          and (memberships.organization_uuid is null or memberships.organization_uuid = ${apiKeys.organizationUuid})))`,
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, nowSeconds())),
      ),
    );
  return rows.map(({ keyUuid }) => keyUuid);
}

/** A key of one organization must also differ from the keys for all organizations, which act in it too. */
export async function isKeyNameTaken(transaction: Transaction, name: string, organizationUuid: string | null): Promise<boolean> {
  const sameScope = or(
    isNull(apiKeys.organizationUuid),
    organizationUuid === null ? undefined : eq(apiKeys.organizationUuid, organizationUuid),
  );
  const isSame = and(isNull(apiKeys.revokedAt), sameScope, eq(sql`lower(${apiKeys.name})`, name.toLowerCase()));
  return (await transaction.$count(apiKeys, isSame)) > 0;
}

/** Throws a unique violation for a value that a key had before. */
export async function insertApiKey(
  transaction: Transaction,
  apiKey: string,
  row: Omit<typeof apiKeys.$inferInsert, 'lookup' | 'hash'>,
): Promise<void> {
  await transaction.insert(apiKeys).values({ ...row, ...hashApiKey(apiKey) });
}

export async function listApiKeys(db: Db, scope: string | null, page: PageRequest) {
  const rows = await db
    .select({
      key_uuid: apiKeys.keyUuid,
      name: apiKeys.name,
      role: apiKeys.role,
      organization_code: organizations.organizationCode,
      owner: users.name,
      service: sql<string | null>`case when ${apiKeys.ownerUuid} is null then coalesce(${apiKeys.service}, ${apiKeys.name}) end`,
      created_at: apiKeys.createdAt,
      expires_at: apiKeys.expiresAt,
      revoked_at: apiKeys.revokedAt,
    })
    .from(apiKeys)
    .leftJoin(organizations, eq(organizations.organizationUuid, apiKeys.organizationUuid))
    .leftJoin(users, eq(users.userUuid, apiKeys.ownerUuid))
    .where(and(inOrganization(apiKeys.organizationUuid, scope), page.after === null ? undefined : gt(apiKeys.keyUuid, page.after)))
    .orderBy(asc(apiKeys.keyUuid))
    .limit(page.limit + 1);
  return toPage(rows, page, (row) => row.key_uuid);
}

/** null where the scope has no such key. */
export async function lockApiKey(transaction: Transaction, scope: string | null, keyUuid: string) {
  const [found] = await transaction
    .select({ organizationUuid: apiKeys.organizationUuid, revokedAt: apiKeys.revokedAt })
    .from(apiKeys)
    .where(and(eq(apiKeys.keyUuid, keyUuid), inOrganization(apiKeys.organizationUuid, scope)))
    .for('update');
  return found ?? null;
}

export async function markKeyRevoked(transaction: Transaction, keyUuid: string, revokedAt: number): Promise<void> {
  await transaction.update(apiKeys).set({ revokedAt }).where(eq(apiKeys.keyUuid, keyUuid));
}

export async function isUnrevokedKey(transaction: Transaction, apiKey: string): Promise<boolean> {
  const isWanted = and(eq(apiKeys.lookup, hashApiKey(apiKey).lookup), isNull(apiKeys.revokedAt));
  return (await transaction.$count(apiKeys, isWanted)) > 0;
}

/** Revokes the admin keys for all organizations that have the name and another value. Returns their ids. */
export async function markOtherAdminKeysRevoked(
  transaction: Transaction,
  name: string,
  apiKey: string,
  revokedAt: number,
): Promise<string[]> {
  const rows = await transaction
    .update(apiKeys)
    .set({ revokedAt })
    .where(
      and(
        eq(apiKeys.name, name),
        eq(apiKeys.role, 'admin'),
        isNull(apiKeys.organizationUuid),
        isNull(apiKeys.revokedAt),
        ne(apiKeys.lookup, hashApiKey(apiKey).lookup),
      ),
    )
    .returning({ keyUuid: apiKeys.keyUuid });
  return rows.map(({ keyUuid }) => keyUuid);
}
