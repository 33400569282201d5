import { timingSafeEqual } from 'node:crypto';
import { and, asc, eq, getTableColumns, gt, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import { type ApiKey, lowerRole, type Principal, type Role } from '../../domain/identity/identity.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { newUuid } from '../ids.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { apiKeys, organizations, users } from '../schema/index.js';
import { hashToken, newToken } from '../tokens.js';
import { recordAudit } from './audit.js';
import { announceEnd, type KnownCredential } from './credentials.js';
import { findMembershipRole } from './memberships.js';
import { isUserName, lockNames } from './users.js';

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
    .select({ ...getTableColumns(apiKeys), ownerName: users.name })
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
  };
}

/** Those of the keys that are neither revoked nor expired, and whose owner is active. */
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
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, nowSeconds())),
      ),
    );
  return rows.map(({ keyUuid }) => keyUuid);
}

export interface NewApiKey {
  readonly name: string;
  readonly role: Role;
  readonly organizationUuid: string | null;
  readonly expiresAt: number | null;
  /** Without a service, the key acts for the user who creates it. */
  readonly service?: string | undefined;
}

/** The key from the environment, which a start can replace. */
const FROM_ENVIRONMENT = 'ADMIN_API_KEY';

/** The key belongs to the user who creates it, or to a service. Returns null if the name is taken. */
export async function createApiKey(
  db: Db,
  by: Principal | null,
  given: NewApiKey,
  apiKey: string,
): Promise<Pick<ApiKey, 'key_uuid' | 'created_at' | 'owner' | 'service'> | null> {
  return db.transaction(async (transaction) => {
    const ownerUuid = given.service === undefined ? (by?.userUuid ?? null) : null;
    const service = ownerUuid === null ? (given.service ?? given.name) : null;
    await lockNames(transaction);
    const isReserved = given.name.toUpperCase() === FROM_ENVIRONMENT;
    if (isReserved || (await isNameTaken(transaction, given))) return null;
    // The name of a service stands in decisions, where it must not look like a user.
    if (service !== null && (await isUserName(transaction, given.name))) return null;
    const created = await insertKey(transaction, by, given, apiKey, { ownerUuid, service });
    return { ...created, owner: ownerUuid === null ? null : (by?.name ?? null), service };
  });
}

/** A key of one organization must also differ from the keys for all organizations, which act in it too. */
async function isNameTaken(
  transaction: Transaction,
  { name, organizationUuid }: Pick<NewApiKey, 'name' | 'organizationUuid'>,
): Promise<boolean> {
  const sameScope = or(
    isNull(apiKeys.organizationUuid),
    organizationUuid === null ? undefined : eq(apiKeys.organizationUuid, organizationUuid),
  );
  const isSame = and(isNull(apiKeys.revokedAt), sameScope, eq(sql`lower(${apiKeys.name})`, name.toLowerCase()));
  return (await transaction.$count(apiKeys, isSame)) > 0;
}

async function insertKey(
  transaction: Transaction,
  by: Principal | null,
  given: NewApiKey,
  apiKey: string,
  holder: { ownerUuid: string | null; service: string | null },
): Promise<{ key_uuid: string; created_at: number }> {
  const keyUuid = newUuid();
  const createdAt = nowSeconds();
  const personUuid = by?.personUuid ?? null;
  await transaction.insert(apiKeys).values({ keyUuid, ...given, ...holder, ...hashApiKey(apiKey), createdAt, personUuid });
  await recordAudit(transaction, {
    by,
    organizationUuid: given.organizationUuid,
    action: 'api-key.create',
    target: keyUuid,
    details: { name: given.name, role: given.role, ...(holder.service === null ? {} : { service: holder.service }) },
  });
  return { key_uuid: keyUuid, created_at: createdAt };
}

export async function listApiKeys(db: Db, scope: string | null, page: PageRequest): Promise<Page<ApiKey>> {
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
    .where(
      and(
        scope === null ? undefined : eq(apiKeys.organizationUuid, scope),
        page.after === null ? undefined : gt(apiKeys.keyUuid, page.after),
      ),
    )
    .orderBy(asc(apiKeys.keyUuid))
    .limit(page.limit + 1);
  return toPage(rows, page, (row) => row.key_uuid);
}

/** False where the scope has no such key. Revoking twice changes nothing. */
export async function revokeApiKey(db: Db, by: Principal, keyUuid: string): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const [found] = await transaction
      .select({ organizationUuid: apiKeys.organizationUuid, revokedAt: apiKeys.revokedAt })
      .from(apiKeys)
      .where(
        and(eq(apiKeys.keyUuid, keyUuid), by.organizationUuid === null ? undefined : eq(apiKeys.organizationUuid, by.organizationUuid)),
      )
      .for('update');
    if (!found) return false;
    if (found.revokedAt !== null) return true;
    await transaction.update(apiKeys).set({ revokedAt: nowSeconds() }).where(eq(apiKeys.keyUuid, keyUuid));
    await recordAudit(transaction, { by, organizationUuid: found.organizationUuid, action: 'api-key.revoke', target: keyUuid });
    await announceEnd(transaction);
    return true;
  });
}

/** Creates the admin key of the environment if it is new, and revokes the earlier ones. Throws a unique violation for a revoked key. */
export async function replaceEnvironmentKey(db: Db, apiKey: string): Promise<void> {
  await db.transaction(async (transaction) => {
    const { lookup } = hashApiKey(apiKey);
    const isCurrent = (await transaction.$count(apiKeys, and(eq(apiKeys.lookup, lookup), isNull(apiKeys.revokedAt)))) > 0;
    const revoked = await transaction
      .update(apiKeys)
      .set({ revokedAt: nowSeconds() })
      .where(
        and(
          eq(apiKeys.name, FROM_ENVIRONMENT),
          eq(apiKeys.role, 'admin'),
          isNull(apiKeys.organizationUuid),
          isNull(apiKeys.revokedAt),
          ne(apiKeys.lookup, lookup),
        ),
      )
      .returning({ keyUuid: apiKeys.keyUuid });
    const admin = { name: FROM_ENVIRONMENT, role: 'admin', organizationUuid: null, expiresAt: null } as const;
    if (!isCurrent) await insertKey(transaction, null, admin, apiKey, { ownerUuid: null, service: FROM_ENVIRONMENT });
    for (const { keyUuid } of revoked)
      await recordAudit(transaction, { by: null, organizationUuid: null, action: 'api-key.revoke', target: keyUuid });
    if (revoked.length > 0) await announceEnd(transaction);
  });
}
