import { createHash, timingSafeEqual } from 'node:crypto';
import { and, asc, eq, gt, inArray, isNull, ne, or } from 'drizzle-orm';
import type { ApiKey, Principal, Role } from '../../domain/identity/identity.js';
import type { Db } from '../client.js';
import { nowSeconds } from '../columns.js';
import { newUuid } from '../ids.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { apiKeys, organizations } from '../schema/index.js';
import { newToken } from '../tokens.js';
import { recordAudit } from './audit.js';

/** Tells every API process to empty its cache of keys after a revocation. */
export const API_KEYS_CHANNEL = 'api_keys_changed';

export interface KnownKey {
  readonly principal: Principal;
  readonly expiresAt: number | null;
}

export function newApiKey(): string {
  return newToken('ai');
}

/** A key has 256 random bits, so a plain digest is enough. */
function hashApiKey(apiKey: string): { lookup: string; hash: string } {
  const hash = createHash('sha256').update(apiKey).digest('hex');
  return { lookup: hash.slice(0, 32), hash };
}

export async function findByApiKey(db: Db, apiKey: string): Promise<KnownKey | null> {
  const { lookup, hash } = hashApiKey(apiKey);
  const [row] = await db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.lookup, lookup), isNull(apiKeys.revokedAt)));
  if (!row || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash))) return null;
  return {
    principal: { uuid: row.keyUuid, name: row.name, role: row.role, organizationUuid: row.organizationUuid },
    expiresAt: row.expiresAt,
  };
}

/** Those of the keys that are neither revoked nor expired. */
export async function listUsableKeys(db: Db, keyUuids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .select({ keyUuid: apiKeys.keyUuid })
    .from(apiKeys)
    .where(
      and(
        inArray(apiKeys.keyUuid, [...keyUuids]),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, nowSeconds())),
      ),
    );
  return new Set(rows.map(({ keyUuid }) => keyUuid));
}

export interface NewApiKey {
  readonly name: string;
  readonly role: Role;
  readonly organizationUuid: string | null;
  readonly expiresAt: number | null;
}

export async function createApiKey(
  db: Db,
  by: Principal | null,
  given: NewApiKey,
  apiKey: string,
): Promise<{ key_uuid: string; created_at: number }> {
  return db.transaction(async (transaction) => {
    const keyUuid = newUuid();
    const createdAt = nowSeconds();
    await transaction.insert(apiKeys).values({ keyUuid, ...given, ...hashApiKey(apiKey), createdAt });
    await recordAudit(transaction, {
      by,
      organizationUuid: given.organizationUuid,
      action: 'api-key.create',
      target: keyUuid,
      details: { name: given.name, role: given.role },
    });
    return { key_uuid: keyUuid, created_at: createdAt };
  });
}

export async function listApiKeys(db: Db, scope: string | null, page: PageRequest): Promise<Page<ApiKey>> {
  const rows = await db
    .select({
      key_uuid: apiKeys.keyUuid,
      name: apiKeys.name,
      role: apiKeys.role,
      organization_code: organizations.organizationCode,
      created_at: apiKeys.createdAt,
      expires_at: apiKeys.expiresAt,
      revoked_at: apiKeys.revokedAt,
    })
    .from(apiKeys)
    .leftJoin(organizations, eq(organizations.organizationUuid, apiKeys.organizationUuid))
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
    await transaction.execute(`notify ${API_KEYS_CHANNEL}`);
    return true;
  });
}

/** Revokes the other admin keys of this name, so that a replaced key ends with its replacement. */
export async function revokeEarlierAdminKeys(db: Db, name: string, currentApiKey: string): Promise<void> {
  await db.transaction(async (transaction) => {
    const revoked = await transaction
      .update(apiKeys)
      .set({ revokedAt: nowSeconds() })
      .where(
        and(
          eq(apiKeys.name, name),
          eq(apiKeys.role, 'admin'),
          isNull(apiKeys.organizationUuid),
          isNull(apiKeys.revokedAt),
          ne(apiKeys.lookup, hashApiKey(currentApiKey).lookup),
        ),
      )
      .returning({ keyUuid: apiKeys.keyUuid });
    for (const { keyUuid } of revoked)
      await recordAudit(transaction, { by: null, organizationUuid: null, action: 'api-key.revoke', target: keyUuid });
    if (revoked.length > 0) await transaction.execute(`notify ${API_KEYS_CHANNEL}`);
  });
}
