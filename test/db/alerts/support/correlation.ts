import { beforeEach } from 'vitest';
import { ownNameSources } from '../../../../connectors/skill-index.js';
import { findLinkedAlerts } from '../../../../db/alerts/correlation.js';
import type { Database } from '../../../../db/client.js';
import { nowSeconds } from '../../../../db/columns.js';
import { newUuid } from '../../../../db/ids.js';
import type { Entity, EntityKind } from '../../../../domain/entity/entity.js';
import { asService } from '../../../../services/context.js';
import { addKnowledge } from '../../../../services/knowledge/add.js';
import type { SaveKnowledge } from '../../../../services/knowledge/wire.js';
import { createOrganization } from '../../../../services/organizations/create.js';
import { adminPrincipal } from '../../../support/principal.js';
import { idleContext } from '../../../support/service-context.js';
import { migratedDatabase } from '../../support/database.js';

export let database: Database;
export let organization: string;
export const dana = adminPrincipal('dana');
export const KINDS: EntityKind[] = ['ip', 'domain', 'host', 'email'];

/** A new database in each test. */
export function setUpCorrelation(): void {
  beforeEach(async () => {
    ({ database } = await migratedDatabase());
    organization = (await createOrganization(asService(database.db), { organization_code: 'NORTH', name: 'North' })).organization_uuid;
  });
}

const entity = (text: string): Entity => {
  const [kind, value] = text.split(' ');
  return { kind: kind as EntityKind, value: value ?? '' };
};

/** Stores an alert with these entities, without its investigation. */
export async function store(name: string, ...entities: string[]): Promise<string> {
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

export const know = (kind: SaveKnowledge['kind'], value: string) =>
  addKnowledge({ ...idleContext({ database }), by: dana }, 'NORTH', { kind, value, note: '' });
export const related = (alertUuid: string) => findLinkedAlerts(database.db, [{ alertUuid, createdAt: nowSeconds() }], ownNameSources);
export const linked = async (alertUuid: string) => (await related(alertUuid)).linked;
