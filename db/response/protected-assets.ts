import { and, eq, gt, inArray } from 'drizzle-orm';
import type { ProtectedAsset, Protection } from '../../domain/response/response-rules.js';
import type { Db, Transaction } from '../client.js';
import { currentName } from '../identity/people.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { organizationKnowledge, organizations, protectedAssets } from '../schema/index.js';
import { inOrganization } from '../scope.js';

const columns = {
  asset_id: protectedAssets.assetUuid,
  organization_code: organizations.organizationCode,
  kind: protectedAssets.kind,
  value: protectedAssets.value,
  reason: protectedAssets.reason,
  created_by: currentName(protectedAssets.createdByUuid, protectedAssets.createdBy),
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
        inOrganization(protectedAssets.organizationUuid, scope),
        filters.organizationCode === undefined ? undefined : eq(organizations.organizationCode, filters.organizationCode),
        page.after === null ? undefined : gt(protectedAssets.assetUuid, page.after),
      ),
    )
    .orderBy(protectedAssets.assetUuid)
    .limit(page.limit + 1);
  return toPage(rows, page, (row) => row.asset_id);
}

/** What each of the organizations protects. */
export async function readProtection(db: Db | Transaction, organizationUuids: readonly string[]): Promise<Map<string, Protection>> {
  const wanted = [...new Set(organizationUuids)];
  if (wanted.length === 0) return new Map();
  const { organizationUuid, kind, value, reason } = protectedAssets;
  const assets = await db
    .select({ organizationUuid, kind, value, reason })
    .from(protectedAssets)
    .where(inArray(organizationUuid, wanted))
    .orderBy(protectedAssets.assetUuid);
  const domains = await db
    .select({ organizationUuid: organizationKnowledge.organizationUuid, value: organizationKnowledge.value })
    .from(organizationKnowledge)
    .where(
      and(
        inArray(organizationKnowledge.organizationUuid, wanted),
        eq(organizationKnowledge.kind, 'domain'),
        eq(organizationKnowledge.isRejected, false),
      ),
    );
  const of = <Row extends { organizationUuid: string }>(rows: readonly Row[], uuid: string) =>
    rows.filter((row) => row.organizationUuid === uuid);
  return new Map(wanted.map((uuid) => [uuid, { assets: of(assets, uuid), ownDomains: of(domains, uuid).map((domain) => domain.value) }]));
}

/** Throws a unique violation for an asset that exists, in any letter case. */
export async function insertProtectedAsset(transaction: Transaction, asset: typeof protectedAssets.$inferInsert): Promise<ProtectedAsset> {
  await transaction.insert(protectedAssets).values(asset);
  const [created] = await transaction
    .select(columns)
    .from(protectedAssets)
    .innerJoin(organizations, eq(organizations.organizationUuid, protectedAssets.organizationUuid))
    .where(eq(protectedAssets.assetUuid, asset.assetUuid));
  if (!created) throw new Error('The protected asset was not found in the transaction that inserted it.');
  return created;
}

/** null: outside the scope. */
export async function findProtectedAsset(
  transaction: Transaction,
  scope: string | null,
  assetUuid: string,
): Promise<typeof protectedAssets.$inferSelect | null> {
  const [asset] = await transaction
    .select()
    .from(protectedAssets)
    .where(and(eq(protectedAssets.assetUuid, assetUuid), inOrganization(protectedAssets.organizationUuid, scope)));
  return asset ?? null;
}

export async function deleteProtectedAsset(transaction: Transaction, assetUuid: string): Promise<void> {
  await transaction.delete(protectedAssets).where(eq(protectedAssets.assetUuid, assetUuid));
}
