import { and, asc, eq, gt } from 'drizzle-orm';
import type { Role } from '../../domain/identity/identity.js';
import type { Db, Transaction } from '../client.js';
import { type PageRequest, toPage } from '../page.js';
import { claimMappings, organizations } from '../schema/index.js';

/** Throws a unique violation for a mapping that exists. */
export async function insertClaimMapping(transaction: Transaction, row: typeof claimMappings.$inferInsert): Promise<void> {
  await transaction.insert(claimMappings).values(row);
}

export async function listClaimMappings(db: Db, page: PageRequest) {
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

/** Returns the deleted mapping; null where there is none. */
export async function deleteClaimMappingRow(transaction: Transaction, mappingUuid: string): Promise<MappedClaim | null> {
  const [deleted] = await transaction.delete(claimMappings).where(eq(claimMappings.mappingUuid, mappingUuid)).returning();
  return deleted ?? null;
}

interface MappedClaim {
  readonly claim: string;
  readonly value: string;
  readonly role: Role;
  readonly organizationUuid: string | null;
}

export async function readMappedClaims(transaction: Transaction): Promise<MappedClaim[]> {
  const { claim, value, role, organizationUuid } = claimMappings;
  return transaction.select({ claim, value, role, organizationUuid }).from(claimMappings);
}
