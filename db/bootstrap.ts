import { listStartingProviders } from '../domain/identity/identity.js';
import { PAGES } from '../domain/pages.js';
import { connectDatabase, type Db, isUniqueViolation } from './client.js';
import { createApiKey, newApiKey, replaceEnvironmentKey } from './identity/api-keys.js';
import { createSetUpLink } from './identity/invitations.js';
import { createOrganization } from './identity/organizations.js';
import { createProvider } from './identity/providers.js';
import { apiKeys, organizations, providers } from './schema/index.js';

const BOOTSTRAP_LOCK = 7_202_611_151;

/** Creates the first organization, the providers and an admin key in a new database. Returns a key only if it created one. */
export async function bootstrap(
  databaseUrl: string,
  options: { adminApiKey?: string | undefined; connectorKinds: readonly string[] },
): Promise<{ createdAdminKey: string | null }> {
  const { db, pg, close } = connectDatabase(databaseUrl, { poolSize: 2, name: 'alert-investigator bootstrap' });
  const lock = await pg.reserve();
  try {
    await lock`select pg_advisory_lock(${BOOTSTRAP_LOCK})`;
    if (await isEmpty(db, organizations)) await createOrganization(db, null, { organization_code: 'DEMO', name: 'Demo organization' });
    if (await isEmpty(db, providers))
      for (const name of listStartingProviders(options.connectorKinds)) await createProvider(db, null, name);
    return { createdAdminKey: await ensureAdminKey(db, options.adminApiKey) };
  } finally {
    lock.release();
    await close();
  }
}

/** The path of the set-up page for the first admin; null once there is a user. Each start replaces the link of the start before. */
export async function prepareSetUp(databaseUrl: string): Promise<string | null> {
  const { db, close } = connectDatabase(databaseUrl, { poolSize: 1, name: 'alert-investigator bootstrap' });
  try {
    const token = await createSetUpLink(db);
    return token === null ? null : `${PAGES.join}#${token}`;
  } finally {
    await close();
  }
}

async function ensureAdminKey(db: Db, adminApiKey: string | undefined): Promise<string | null> {
  if (adminApiKey !== undefined) {
    // A revoked key stays revoked. It also revokes no other key, so a process with an old environment changes nothing.
    await replaceEnvironmentKey(db, adminApiKey).catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error;
    });
    return null;
  }
  if (!(await isEmpty(db, apiKeys))) return null;
  const created = newApiKey();
  await createApiKey(db, null, { name: 'first admin', role: 'admin', organizationUuid: null, expiresAt: null }, created);
  return created;
}

async function isEmpty(db: Db, table: typeof organizations | typeof providers | typeof apiKeys): Promise<boolean> {
  return (await db.select().from(table).limit(1)).length === 0;
}
