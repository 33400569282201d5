import { connectDatabase, type Db } from '../../db/client.js';
import { apiKeys, organizations, providers } from '../../db/schema/index.js';
import { listStartingProviders } from '../../domain/identity/identity.js';
import { createApiKey } from '../api-keys/create.js';
import { replaceEnvironmentKey } from '../api-keys/replace-environment-key.js';
import { asService, inTransaction, type WorkContext } from '../context.js';
import { createOrganization } from '../organizations/create.js';
import { createProvider } from '../providers/create.js';

const BOOTSTRAP_LOCK = 7_202_611_151;

/**
 * Creates the first organization, the providers and an admin key in a new database. Returns a key only if it created one. It creates
 * none if `keepAdminKey` throws, because the database stores only a hash.
 */
export async function bootstrap(
  databaseUrl: string,
  options: { adminApiKey?: string | undefined; connectorKinds: readonly string[]; keepAdminKey?: (key: string) => void },
): Promise<{ createdAdminKey: string | null }> {
  const { db, pg, close } = connectDatabase(databaseUrl, { poolSize: 2, name: 'alert-investigator bootstrap' });
  const context = asService(db);
  const lock = await pg.reserve();
  try {
    await lock`select pg_advisory_lock(${BOOTSTRAP_LOCK})`;
    if (await isEmpty(db, organizations)) await createOrganization(context, { organization_code: 'DEMO', name: 'Demo organization' });
    if (await isEmpty(db, providers)) for (const name of listStartingProviders(options.connectorKinds)) await createProvider(context, name);
    return { createdAdminKey: await ensureAdminKey(db, context, options) };
  } finally {
    lock.release();
    await close();
  }
}

async function ensureAdminKey(
  db: Db,
  context: WorkContext,
  { adminApiKey, keepAdminKey }: { adminApiKey?: string | undefined; keepAdminKey?: (key: string) => void },
): Promise<string | null> {
  if (adminApiKey !== undefined) {
    await replaceEnvironmentKey(context, adminApiKey);
    return null;
  }
  if (!(await isEmpty(db, apiKeys))) return null;
  return inTransaction(context, async (inside) => {
    const { api_key: created } = await createApiKey(inside, { name: 'first admin', role: 'admin', organization_code: null });
    keepAdminKey?.(created);
    return created;
  });
}

async function isEmpty(db: Db, table: typeof organizations | typeof providers | typeof apiKeys): Promise<boolean> {
  return (await db.select().from(table).limit(1)).length === 0;
}
