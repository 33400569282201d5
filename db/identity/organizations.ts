import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Db, Transaction } from '../client.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { organizations } from '../schema/index.js';
import { inOrganization } from '../scope.js';

const columns = {
  organization_uuid: organizations.organizationUuid,
  organization_code: organizations.organizationCode,
  name: organizations.name,
  created_at: organizations.createdAt,
};

interface OrganizationRow {
  readonly organization_uuid: string;
  readonly organization_code: string;
  readonly name: string;
  readonly created_at: number;
}

export async function findOrganization(db: Db | Transaction, organizationCode: string): Promise<OrganizationRow | null> {
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

export async function listOrganizations(db: Db, scope: string | null, page: PageRequest): Promise<Page<OrganizationRow>> {
  const rows = await db
    .select(columns)
    .from(organizations)
    .where(
      and(
        inOrganization(organizations.organizationUuid, scope),
        page.after === null ? undefined : gt(organizations.organizationUuid, page.after),
      ),
    )
    .orderBy(asc(organizations.organizationUuid))
    .limit(page.limit + 1);
  return toPage(rows, page, (row) => row.organization_uuid);
}

/** Throws a unique violation for a code that exists in any letter case. */
export async function insertOrganization(transaction: Transaction, row: typeof organizations.$inferInsert): Promise<OrganizationRow> {
  const [inserted] = await transaction.insert(organizations).values(row).returning(columns);
  if (!inserted) throw new Error('The organization is missing in its own transaction.');
  return inserted;
}

/** At most `limit` codes. */
export async function listOrganizationCodes(db: Db, limit: number): Promise<string[]> {
  const rows = await db.select({ code: organizations.organizationCode }).from(organizations).limit(limit);
  return rows.map(({ code }) => code);
}

export async function findOrganizationCode(db: Db | Transaction, organizationUuid: string): Promise<string | null> {
  const [found] = await db
    .select({ code: organizations.organizationCode })
    .from(organizations)
    .where(eq(organizations.organizationUuid, organizationUuid));
  return found?.code ?? null;
}

export async function readTwoFactorPolicy(db: Db | Transaction, organizationUuid: string): Promise<boolean> {
  const { requiresTwoFactor } = organizations;
  const [found] = await db.select({ requiresTwoFactor }).from(organizations).where(eq(organizations.organizationUuid, organizationUuid));
  return found?.requiresTwoFactor ?? false;
}

export async function setTwoFactorPolicy(transaction: Transaction, organizationUuid: string, requiresTwoFactor: boolean): Promise<void> {
  await transaction.update(organizations).set({ requiresTwoFactor }).where(eq(organizations.organizationUuid, organizationUuid));
}

/** Returns the code. A deletion that has begun and the caller see each other. */
export async function lockOrganization(transaction: Transaction, organizationUuid: string): Promise<string> {
  const [found] = await transaction
    .select({ code: organizations.organizationCode })
    .from(organizations)
    .where(eq(organizations.organizationUuid, organizationUuid))
    .for('no key update');
  return found?.code ?? '';
}
