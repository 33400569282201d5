import { asc, eq, gt } from 'drizzle-orm';
import { type Principal, type Provider, providerSegment } from '../../domain/identity/identity.js';
import type { Db } from '../client.js';
import { nowSeconds } from '../columns.js';
import { newUuid } from '../ids.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { providers } from '../schema/index.js';
import { recordAudit } from './audit.js';

const columns = {
  provider_uuid: providers.providerUuid,
  name: providers.name,
  segment: providers.segment,
  created_at: providers.createdAt,
};

export async function findProvider(db: Db, name: string): Promise<Provider | null> {
  const [found] = await db.select(columns).from(providers).where(eq(providers.name, name));
  return found ?? null;
}

export async function listProviders(db: Db, page: PageRequest): Promise<Page<Provider>> {
  const rows = await db
    .select(columns)
    .from(providers)
    .where(page.after === null ? undefined : gt(providers.providerUuid, page.after))
    .orderBy(asc(providers.providerUuid))
    .limit(page.limit + 1);
  return toPage(rows, page, (row) => row.provider_uuid);
}

/** Throws a unique violation for a name with an existing segment, because alert ids contain the segment. */
export async function createProvider(db: Db, by: Principal | null, name: string): Promise<Provider> {
  return db.transaction(async (transaction) => {
    const provider = { provider_uuid: newUuid(), name, segment: providerSegment(name), created_at: nowSeconds() };
    await transaction
      .insert(providers)
      .values({ providerUuid: provider.provider_uuid, name, segment: provider.segment, createdAt: provider.created_at });
    await recordAudit(transaction, { by, organizationUuid: null, action: 'provider.create', target: name });
    return provider;
  });
}
