import { beforeEach } from 'vitest';
import type { Database } from '../../../../db/client.js';
import { newUuid, uuidFloor } from '../../../../db/ids.js';
import { asService } from '../../../../services/context.js';
import { createOrganization } from '../../../../services/organizations/create.js';
import { migratedDatabase } from '../../support/database.js';

export let database: Database;
let organization: string;
export const DAY = 86_400;
export const TODAY = Math.floor(Date.now() / 1000 / DAY) * DAY;
export const TUNNEL = { kind: 'ip', value: '198.51.100.7' } as const;

/** A new database with an alert of today in each test. */
export function setUpCarriers(): void {
  beforeEach(async () => {
    ({ database } = await migratedDatabase());
    organization = (await createOrganization(asService(database.db), { organization_code: 'NORTH', name: 'North' })).organization_uuid;
    await storeAlerts('NOW', 0, 1, 1);
  });
}

/** Stores alerts of a day with the tunnel exit, each about another machine, named by their place. */
export async function storeAlerts(name: string, daysAgo: number, from: number, to: number): Promise<void> {
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
