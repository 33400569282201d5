import { and, asc, eq, gt } from 'drizzle-orm';
import type { ClaimMapping, CreateClaimMapping } from '../../domain/identity/claims.js';
import type { Principal, Role } from '../../domain/identity/identity.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { newUuid } from '../ids.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { claimMappings, organizations } from '../schema/index.js';
import { recordAudit } from './audit.js';

/** Throws a unique violation for a mapping that exists. */
export async function createClaimMapping(
  db: Db,
  by: Principal,
  { claim, value, role }: Pick<CreateClaimMapping, 'claim' | 'value' | 'role'>,
  organizationUuid: string | null,
): Promise<{ mapping_uuid: string; created_at: number }> {
  return db.transaction(async (transaction) => {
    const [mappingUuid, createdAt] = [newUuid(), nowSeconds()];
    await transaction.insert(claimMappings).values({ mappingUuid, claim, value, role, organizationUuid, createdAt });
    const details = { claim, value, role };
    await recordAudit(transaction, { by, organizationUuid, action: 'claim-mapping.create', target: mappingUuid, details });
    return { mapping_uuid: mappingUuid, created_at: createdAt };
  });
}

export async function listClaimMappings(db: Db, page: PageRequest): Promise<Page<ClaimMapping>> {
  const rows = await db
    .select({
      mapping_uuid: claimMappings.mappingUuid,
      claim: claimMappings.claim,
      value: claimMappings.value,
      role: claimMappings.role,
      organization_code: organizations.organizationCode,
      created_at: claimMappings.createdAt,
    })
    .from(claimMappings)
    .leftJoin(organizations, eq(organizations.organizationUuid, claimMappings.organizationUuid))
    .where(and(page.after === null ? undefined : gt(claimMappings.mappingUuid, page.after)))
    .orderBy(asc(claimMappings.mappingUuid))
    .limit(page.limit + 1);
  return toPage(rows, page, (row) => row.mapping_uuid);
}

export async function deleteClaimMapping(db: Db, by: Principal, mappingUuid: string): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const [deleted] = await transaction.delete(claimMappings).where(eq(claimMappings.mappingUuid, mappingUuid)).returning();
    if (!deleted) return false;
    const { claim, value, role, organizationUuid } = deleted;
    const details = { claim, value, role };
    await recordAudit(transaction, { by, organizationUuid, action: 'claim-mapping.delete', target: mappingUuid, details });
    return true;
  });
}

export interface MappedClaim {
  readonly claim: string;
  readonly value: string;
  readonly role: Role;
  readonly organizationUuid: string | null;
}

export async function readMappedClaims(transaction: Transaction): Promise<MappedClaim[]> {
  const { claim, value, role, organizationUuid } = claimMappings;
  return transaction.select({ claim, value, role, organizationUuid }).from(claimMappings);
}
