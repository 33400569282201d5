import { beforeEach, describe, expect, it } from 'vitest';
import { findOwnCarriers } from '../../../db/alerts/own-carriers.js';
import type { Database } from '../../../db/client.js';
import { newUuid, uuidFloor } from '../../../db/ids.js';
import { asService } from '../../../services/context.js';
import { createOrganization } from '../../../services/organizations/create.js';
import { migratedDatabase } from '../support/database.js';

let database: Database;
let organization: string;
const DAY = 86_400;
const TODAY = Math.floor(Date.now() / 1000 / DAY) * DAY;
const TUNNEL = { kind: 'ip', value: '198.51.100.7' } as const;

beforeEach(async () => {
  ({ database } = await migratedDatabase());
  organization = (await createOrganization(asService(database.db), { organization_code: 'NORTH', name: 'North' })).organization_uuid;
  await storeAlerts('NOW', 0, 1, 1);
});

/** Stores alerts of a day with the tunnel exit, each about another machine, named by their place. */
async function storeAlerts(name: string, daysAgo: number, from: number, to: number): Promise<void> {
  const { pg } = database;
  const floor = uuidFloor(TODAY - daysAgo * DAY).slice(0, 13);
  const rows = Array.from({ length: to - from + 1 }, (_, index) => ({
    uuid: `${floor}-7000-8000-${(from + index).toString(16).padStart(12, '0')}`,
    id: `${name}-${from + index}`,
    host: `ws-${from + index}`,
  }));
  const given = JSON.stringify(rows);
  await pg`
    insert into alerts (alert_uuid, alert_id, organization_uuid, provider_uuid, alert_type, alert_type_key, alert_content, created_by, created_at, modified_at)
    select uuid, id, ${organization}, ${newUuid()}, 'x', 'x', 'x', ${newUuid()}, uuid_extract_timestamp(uuid), now()
    from json_to_recordset(${given}::text::json) as given (uuid uuid, id text)`;
  await pg`
    insert into alert_entities (alert_uuid, organization_uuid, kind, value)
    select uuid, ${organization}, kind, value from json_to_recordset(${given}::text::json) as given (uuid uuid, host text),
      lateral (values ('ip', ${TUNNEL.value}::text), ('host', host)) as entities (kind, value)`;
}

describe('the own alerts with a value', () => {
  it('cost short index ranges among many alerts', async () => {
    for (let day = 1; day <= 20; day += 1) await storeAlerts(`D${day}`, day, day * 1000, day * 1000 + 999);
    await database.pg`analyze`;
    const used = await database.pg.begin(async (transaction) => {
      const count = () => transaction<{ scans: number; rows: number }[]>`
        select sum(seq_scan)::int as scans, sum(idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname in ('alerts', 'alert_entities')`;
      const [before] = await count();
      expect(await findOwnCarriers(transaction, 'NOW-1', TODAY + 100, [TUNNEL])).toHaveLength(8 * 8);
      const [after] = await count();
      return { scans: (after?.scans ?? 0) - (before?.scans ?? 0), rows: (after?.rows ?? 0) - (before?.rows ?? 0) };
    });
    expect(used.scans).toBe(0);
    expect(used.rows).toBeLessThan(1000);
  });
});
