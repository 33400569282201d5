import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { catalogue } from '../../../connectors/catalogue.js';
import { listKinds } from '../../../connectors/kit/define.js';
import type { Database } from '../../../db/client.js';
import { findByApiKey, newApiKey } from '../../../db/identity/api-keys.js';
import { listStartingProviders } from '../../../domain/identity/identity.js';
import { createApiKey } from '../../../services/api-keys/create.js';
import { revokeApiKey } from '../../../services/api-keys/revoke.js';
import { asService } from '../../../services/context.js';
import { bootstrap as bootstrapWith } from '../../../services/installation/bootstrap.js';
import { migratedDatabase } from '../../db/support/database.js';
import { changeApiKeys, changeOrganizations, deleteProvidersExcept } from '../../support/rows.js';
import { idleContext } from '../../support/service-context.js';

const connectorKinds = listKinds(catalogue);
const STARTING_PROVIDERS = listStartingProviders(connectorKinds);
const bootstrap = (databaseUrl: string, options: { adminApiKey?: string }) => bootstrapWith(databaseUrl, { ...options, connectorKinds });

let url: string;
let database: Database;

beforeEach(async () => {
  ({ url, database } = await migratedDatabase());
});

async function readAllTables(): Promise<unknown> {
  const { pg } = database;
  return Promise.all([
    pg`select * from organizations`,
    pg`select * from providers order by name`,
    pg`select * from api_keys`,
    pg`select * from audit_log order by entry_no`,
  ]);
}

const KNOWN_KEY = 'a-key-that-everybody-here-knows';

describe('the first start', () => {
  it('creates the organization DEMO and the starting providers, with audit entries', async () => {
    await bootstrap(url, {});
    const { pg } = database;
    expect(await pg`select organization_code from organizations`).toEqual([{ organization_code: 'DEMO' }]);
    const providers = await pg<{ name: string; segment: string }[]>`select name, segment from providers`;
    expect(providers.map(({ name }) => name).sort()).toEqual([...STARTING_PROVIDERS].sort());
    expect(providers.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'endpoint-detection',
        'incident-source',
        'malware-protection',
        'vulnerability-investigation',
        'travel-booking',
        'threat-intelligence',
      ]),
    );
    expect(new Set(providers.map(({ segment }) => segment)).size).toBe(STARTING_PROVIDERS.length);
    const entries = await pg<
      { action: string; count: number }[]
    >`select action, count(*)::int as count from audit_log where principal_name = 'service' group by 1 order by 1`;
    expect([...entries]).toEqual([
      { action: 'api-key.create', count: 1 },
      { action: 'organization.create', count: 1 },
      { action: 'provider.create', count: STARTING_PROVIDERS.length },
    ]);
  });

  it('creates an admin key for all organizations and returns it once', async () => {
    const { createdAdminKey } = await bootstrap(url, {});
    expect(createdAdminKey).toMatch(/^ai_/);
    expect(await findByApiKey(database.db, createdAdminKey ?? '')).toMatchObject({
      principal: { role: 'admin', organizationUuid: null },
      expiresAt: null,
    });
    expect(await bootstrap(url, {})).toEqual({ createdAdminKey: null });
  });

  it('creates each record once when five processes start concurrently', async () => {
    const results = await Promise.all(Array.from({ length: 5 }, () => bootstrap(url, {})));
    expect(results.filter(({ createdAdminKey }) => createdAdminKey !== null)).toHaveLength(1);
    const { pg } = database;
    expect(await pg`select 1 from organizations`).toHaveLength(1);
    expect(await pg`select 1 from providers`).toHaveLength(STARTING_PROVIDERS.length);
    expect(await pg`select 1 from api_keys`).toHaveLength(1);
  });
});

describe('a later start', () => {
  it('changes nothing', async () => {
    await bootstrap(url, { adminApiKey: KNOWN_KEY });
    const before = await readAllTables();
    await bootstrap(url, { adminApiKey: KNOWN_KEY });
    await bootstrap(url, {});
    expect(await readAllTables()).toEqual(before);
  });

  it('keeps the changes of the owner', async () => {
    await bootstrap(url, {});
    const { pg } = database;
    await changeOrganizations({ database }, {}, { organizationCode: 'MINE' });
    await deleteProvidersExcept({ database }, 'siem');
    await bootstrap(url, {});
    expect(await pg`select organization_code from organizations`).toEqual([{ organization_code: 'MINE' }]);
    expect(await pg`select name from providers`).toEqual([{ name: 'siem' }]);
  });
});

describe('ADMIN_API_KEY', () => {
  it('is an admin key that is stored as a hash and never returned', async () => {
    expect(await bootstrap(url, { adminApiKey: KNOWN_KEY })).toEqual({ createdAdminKey: null });
    expect(await findByApiKey(database.db, KNOWN_KEY)).toMatchObject({
      principal: { role: 'admin', organizationUuid: null, name: 'ADMIN_API_KEY' },
    });
    expect(JSON.stringify(await readAllTables())).not.toContain(KNOWN_KEY);
  });

  it('can be added later, and a new value revokes the previous one', async () => {
    const { createdAdminKey } = await bootstrap(url, {});
    const find = async (key: string | null) => (await findByApiKey(database.db, key ?? ''))?.principal ?? null;
    await bootstrap(url, { adminApiKey: KNOWN_KEY });
    const previous = await find(KNOWN_KEY);
    await bootstrap(url, { adminApiKey: `${KNOWN_KEY}-2` });
    expect(await find(KNOWN_KEY)).toBeNull();
    for (const key of [createdAdminKey, `${KNOWN_KEY}-2`]) expect(await find(key)).toMatchObject({ role: 'admin' });
    const entries = await database.pg`select target, principal_name from audit_log where action = 'api-key.revoke'`;
    expect([...entries]).toEqual([{ target: previous?.uuid, principal_name: 'service' }]);
    // A process that still has the previous value brings nothing back.
    await bootstrap(url, { adminApiKey: KNOWN_KEY });
    expect(await find(KNOWN_KEY)).toBeNull();
    expect(await find(`${KNOWN_KEY}-2`)).not.toBeNull();
  });

  it('stays revoked', async () => {
    await bootstrap(url, { adminApiKey: KNOWN_KEY });
    const known = await findByApiKey(database.db, KNOWN_KEY);
    const principal = known?.principal ?? expect.fail('the key is not known');
    await revokeApiKey({ ...idleContext({ database }), by: principal }, principal.uuid);
    await bootstrap(url, { adminApiKey: KNOWN_KEY });
    expect(await findByApiKey(database.db, KNOWN_KEY)).toBeNull();
  });
});

describe('an API key', () => {
  it('is found only by its complete value', async () => {
    const given = { name: 'x', role: 'sender', organization_code: null, expires_at: 4_000_000_000 } as const;
    const { api_key: key } = await createApiKey(asService(database.db), given);
    expect(await findByApiKey(database.db, key)).toMatchObject({ principal: { name: 'x', role: 'sender' }, expiresAt: 4_000_000_000 });
    for (const other of ['', key.slice(0, -1), `${key} `, key.toUpperCase(), newApiKey()])
      expect(await findByApiKey(database.db, other)).toBeNull();
  });

  it('is not found when only the first half of its hash matches', async () => {
    const { api_key: key } = await createApiKey(asService(database.db), { name: 'x', role: 'sender', organization_code: null });
    await changeApiKeys({ database }, {}, { hash: sql`lookup || repeat('0', 32)` });
    expect(await findByApiKey(database.db, key)).toBeNull();
  });
});
