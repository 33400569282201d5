import { and, eq, gt, inArray } from 'drizzle-orm';
import type { Principal } from '../../domain/identity/identity.js';
import type { ProtectAsset, ProtectedAsset, ProtectedKind } from '../../domain/response/response-rules.js';
import type { PendingRuleChange } from '../../domain/response/rule-change.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { recordAudit } from '../identity/audit.js';
import { newUuid } from '../ids.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { organizations, protectedAssets } from '../schema/index.js';
import { confirmRuleChange } from './rule-changes.js';

const columns = {
  asset_id: protectedAssets.assetUuid,
  organization_code: organizations.organizationCode,
  kind: protectedAssets.kind,
  value: protectedAssets.value,
  reason: protectedAssets.reason,
  created_by: protectedAssets.createdBy,
  created_at: protectedAssets.createdAt,
};

export async function listProtectedAssets(
  db: Db,
  scope: string | null,
  filters: { organizationCode?: string | undefined },
  page: PageRequest,
): Promise<Page<ProtectedAsset>> {
  const rows = await db
    .select(columns)
    .from(protectedAssets)
    .innerJoin(organizations, eq(organizations.organizationUuid, protectedAssets.organizationUuid))
    .where(
      and(
        scope === null ? undefined : eq(protectedAssets.organizationUuid, scope),
        filters.organizationCode === undefined ? undefined : eq(organizations.organizationCode, filters.organizationCode),
        page.after === null ? undefined : gt(protectedAssets.assetUuid, page.after),
      ),
    )
    .orderBy(protectedAssets.assetUuid)
    .limit(page.limit + 1);
  return toPage(rows, page, (row) => row.asset_id);
}

interface Protected {
  readonly kind: ProtectedKind;
  readonly value: string;
  readonly reason: string;
}

/** The protected assets of each organization. */
export async function protectedBy(db: Db | Transaction, organizationUuids: readonly string[]): Promise<Map<string, Protected[]>> {
  const rows =
    organizationUuids.length === 0
      ? []
      : await db
          .select({
            organizationUuid: protectedAssets.organizationUuid,
            kind: protectedAssets.kind,
            value: protectedAssets.value,
            reason: protectedAssets.reason,
          })
          .from(protectedAssets)
          .where(inArray(protectedAssets.organizationUuid, [...new Set(organizationUuids)]))
          .orderBy(protectedAssets.assetUuid);
  return new Map(organizationUuids.map((uuid) => [uuid, rows.filter((row) => row.organizationUuid === uuid)]));
}

/** Throws a unique violation for an asset that exists, in any letter case. */
export async function protectAsset(
  db: Db,
  by: Principal,
  organizationUuid: string,
  given: Pick<ProtectAsset, 'kind' | 'value' | 'reason'>,
): Promise<ProtectedAsset> {
  return db.transaction(async (transaction) => {
    const { kind, value, reason } = { ...given, value: given.value.trim() };
    const assetUuid = newUuid();
    await transaction
      .insert(protectedAssets)
      .values({ assetUuid, organizationUuid, kind, value, reason, createdBy: by.name, createdAt: nowSeconds() });
    await recordAudit(transaction, {
      by,
      organizationUuid,
      action: 'protected-asset.create',
      target: assetUuid,
      details: { kind, value, reason },
    });
    const [created] = await transaction
      .select(columns)
      .from(protectedAssets)
      .innerJoin(organizations, eq(organizations.organizationUuid, protectedAssets.organizationUuid))
      .where(eq(protectedAssets.assetUuid, assetUuid));
    if (!created) throw new Error('The protected asset was not found in the transaction that inserted it.');
    return created;
  });
}

/** Writes to the asset need a second person, so the end of its protection does too. Returns the request while it waits for one. */
export async function unprotectAsset(db: Db, by: Principal, assetUuid: string): Promise<'missing' | 'done' | PendingRuleChange> {
  return db.transaction(async (transaction) => {
    const scope = by.organizationUuid;
    const [asset] = await transaction
      .select()
      .from(protectedAssets)
      .where(and(eq(protectedAssets.assetUuid, assetUuid), scope === null ? undefined : eq(protectedAssets.organizationUuid, scope)));
    if (!asset) return 'missing';
    const { organizationUuid, kind, value } = asset;
    const change = { organizationUuid, change: 'unprotect-asset', target: assetUuid, value: null } as const;
    const pending = await confirmRuleChange(transaction, by, change);
    if (pending !== null) return pending;
    await transaction.delete(protectedAssets).where(eq(protectedAssets.assetUuid, assetUuid));
    await recordAudit(transaction, {
      by,
      organizationUuid,
      action: 'protected-asset.delete',
      target: assetUuid,
      details: { kind, value },
    });
    return 'done';
  });
}
