import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Organization, Principal } from '../../domain/identity/identity.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { newUuid } from '../ids.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { organizations } from '../schema/index.js';
import { recordAudit } from './audit.js';

const columns = {
  organization_uuid: organizations.organizationUuid,
  organization_code: organizations.organizationCode,
  name: organizations.name,
  created_at: organizations.createdAt,
};

export async function findOrganization(db: Db | Transaction, organizationCode: string): Promise<Organization | null> {
  const [found] = await db.select(columns).from(organizations).where(eq(organizations.organizationCode, organizationCode));
  return found ?? null;
}

/** The code as it is stored, for a code in any case: two codes never differ by case alone. null: unknown. */
export async function spellOrganizationCode(db: Db | Transaction, typed: string): Promise<string | null> {
  const [found] = await db
    .select({ code: organizations.organizationCode })
    .from(organizations)
    .where(eq(sql`lower(${organizations.organizationCode})`, typed.toLowerCase()));
  return found?.code ?? null;
}

export async function listOrganizations(db: Db, scope: string | null, page: PageRequest): Promise<Page<Organization>> {
  const rows = await db
    .select(columns)
    .from(organizations)
    .where(
      and(
        scope === null ? undefined : eq(organizations.organizationUuid, scope),
        page.after === null ? undefined : gt(organizations.organizationUuid, page.after),
      ),
    )
    .orderBy(asc(organizations.organizationUuid))
    .limit(page.limit + 1);
  return toPage(rows, page, (row) => row.organization_uuid);
}

/** Throws a unique violation for a code that exists in any letter case. */
export async function createOrganization(
  db: Db,
  by: Principal | null,
  given: { organization_code: string; name: string },
): Promise<Organization> {
  return db.transaction(async (transaction) => {
    const organization = { organization_uuid: newUuid(), ...given, created_at: nowSeconds() };
    await transaction.insert(organizations).values({
      organizationUuid: organization.organization_uuid,
      organizationCode: organization.organization_code,
      name: organization.name,
      createdAt: organization.created_at,
    });
    await recordAudit(transaction, {
      by,
      organizationUuid: organization.organization_uuid,
      action: 'organization.create',
      target: organization.organization_code,
    });
    return organization;
  });
}

export async function findOrganizationCode(db: Db, organizationUuid: string): Promise<string | null> {
  const [found] = await db
    .select({ code: organizations.organizationCode })
    .from(organizations)
    .where(eq(organizations.organizationUuid, organizationUuid));
  return found?.code ?? null;
}
