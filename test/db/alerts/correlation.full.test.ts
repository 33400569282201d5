import { describe, expect, it } from 'vitest';
import { findSharedEntities } from '../../../db/alerts/correlation.js';
import type { Queries } from '../../../db/client.js';
import { nowSeconds } from '../../../db/columns.js';
import { newUuid } from '../../../db/ids.js';
import { database, KINDS, know, linked, organization, setUpCorrelation, store } from './support/correlation.js';

setUpCorrelation();

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
