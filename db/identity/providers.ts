import { asc, eq, gt } from 'drizzle-orm';
import type { Db, Transaction } from '../client.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { providers } from '../schema/index.js';

const columns = {
  provider_uuid: providers.providerUuid,
  name: providers.name,
  segment: providers.segment,
  created_at: providers.createdAt,
};

export interface ProviderRow {
  readonly provider_uuid: string;
  readonly name: string;
  readonly segment: string;
  readonly created_at: number;
}

export async function findProvider(db: Db, name: string): Promise<ProviderRow | null> {
  const [found] = await db.select(columns).from(providers).where(eq(providers.name, name));
  return found ?? null;
}

/** Alert ids contain the segment, so a provider whose name differs only in letter case has the same one. */
export async function findProviderBySegment(db: Db | Transaction, segment: string): Promise<ProviderRow | null> {
  const [found] = await db.select(columns).from(providers).where(eq(providers.segment, segment));
  return found ?? null;
}

export async function listProviders(db: Db, page: PageRequest): Promise<Page<ProviderRow>> {
  const rows = await db
    .select(columns)
    .from(providers)
    .where(page.after === null ? undefined : gt(providers.providerUuid, page.after))
    .orderBy(asc(providers.providerUuid))
    .limit(page.limit + 1);
  return toPage(rows, page, (row) => row.provider_uuid);
}

/** Throws a unique violation for a name with an existing segment, because alert ids contain the segment. */
export async function insertProvider(transaction: Transaction, row: typeof providers.$inferInsert): Promise<ProviderRow> {
  const [inserted] = await transaction.insert(providers).values(row).returning(columns);
  if (!inserted) throw new Error('The provider is missing in its own transaction.');
  return inserted;
}
