import { beforeEach, describe, expect, it } from 'vitest';
import { ownNameSources } from '../../../connectors/skill-index.js';
import { findLinkedAlerts, findSharedEntities } from '../../../db/alerts/correlation.js';
import type { Database, Queries } from '../../../db/client.js';
import { nowSeconds } from '../../../db/columns.js';
import { newUuid } from '../../../db/ids.js';
import type { Entity, EntityKind } from '../../../domain/entity/entity.js';
import { asService } from '../../../services/context.js';
import { addKnowledge } from '../../../services/knowledge/add.js';
import type { SaveKnowledge } from '../../../services/knowledge/wire.js';
import { createOrganization } from '../../../services/organizations/create.js';
import { adminPrincipal } from '../../support/principal.js';
import { idleContext } from '../../support/service-context.js';
import { migratedDatabase } from '../support/database.js';

let database: Database;
let organization: string;
const dana = adminPrincipal('dana');
const KINDS: EntityKind[] = ['ip', 'domain', 'host', 'email'];

beforeEach(async () => {
  ({ database } = await migratedDatabase());
  organization = (await createOrganization(asService(database.db), { organization_code: 'NORTH', name: 'North' })).organization_uuid;
});

const entity = (text: string): Entity => {
  const [kind, value] = text.split(' ');
  return { kind: kind as EntityKind, value: value ?? '' };
};

/** Stores an alert with these entities, without its investigation. */
async function store(name: string, ...entities: string[]): Promise<string> {
  const alertUuid = newUuid();
  const { pg } = database;
  await pg`
    insert into alerts (alert_uuid, alert_id, organization_uuid, provider_uuid, alert_type, alert_type_key, alert_content, created_by, created_at,
      modified_at)
    values (${alertUuid}, ${name}, ${organization}, ${newUuid()}, 'x', 'x', 'x', ${newUuid()}, now(), now())`;
  for (const { kind, value } of entities.map(entity)) {
    await pg`insert into alert_entities (alert_uuid, organization_uuid, kind, value) values (${alertUuid}, ${organization}, ${kind}, ${value})`;
    await pg`insert into entity_values (organization_uuid, kind, value) values (${organization}, ${kind}, ${value}) on conflict do nothing`;
  }
  return alertUuid;
}

const know = (kind: SaveKnowledge['kind'], value: string) =>
  addKnowledge({ ...idleContext({ database }), by: dana }, 'NORTH', { kind, value, note: '' });
const related = (alertUuid: string) => findLinkedAlerts(database.db, [{ alertUuid, createdAt: nowSeconds() }], ownNameSources);
const linked = async (alertUuid: string) => (await related(alertUuid)).linked;

const countReads = (pg: Queries) => pg<{ table: string; scans: number; rows: number }[]>`
  select relname as table, seq_scan::int as scans, idx_tup_fetch::int as rows from pg_stat_xact_user_tables
  where relname in ('alerts', 'alert_entities') order by relname`;

describe('shared entities', () => {
  it('cost bounded index ranges among many alerts', async () => {
    const { pg } = database;
    await pg`
      insert into alerts (alert_uuid, alert_id, organization_uuid, provider_uuid, alert_type, alert_type_key, alert_content, created_by,
        created_at, modified_at)
      select uuidv7(make_interval(secs => -n)), 'B-' || n, ${organization}, ${newUuid()}, 'x', 'x', 'x', ${newUuid()}, now(), now()
      from generate_series(1, 20000) as n`;
    await pg`insert into alert_entities (alert_uuid, organization_uuid, kind, value) select alert_uuid, ${organization}, 'domain', 'all.example' from alerts`;
    await pg`insert into alert_entities (alert_uuid, organization_uuid, kind, value) select alert_uuid, ${organization}, 'ip', md5(alert_id) from alerts`;
    await pg`analyze`;
    const last = await store('A-1', 'domain all.example', 'ip 203.0.113.1');
    await know('network', '10.0.0.0/8');
    const used = await pg.begin(async (transaction) => {
      // Postgres counts earlier statements of the connection too, until it reports them.
      const before = await countReads(transaction);
      const [found] = await findSharedEntities(transaction, { alertId: 'A-1', kinds: KINDS, sinceSeconds: nowSeconds() - 24 * 3600 });
      expect(found).toMatchObject({ alertCount: 1000, alertsOfWindow: 1000 });
      const after = await countReads(transaction);
      return after.map(({ table, scans, rows }, index) => ({
        table,
        scans: scans - (before[index]?.scans ?? 0),
        rows: rows - (before[index]?.rows ?? 0),
      }));
    });
    for (const { table, scans, rows } of used) {
      expect(scans, `${table} was read as a whole`).toBe(0);
      expect(rows, `rows read from ${table}`).toBeLessThan(5_000);
    }
    expect(await linked(last)).toEqual([]);
  });
});
