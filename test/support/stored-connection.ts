import type { Db } from '../../db/client.js';
import { findOrganization } from '../../db/identity/organizations.js';
import { newUuid } from '../../db/ids.js';
import { insertConnection } from '../../services/connections/insert.js';
import { readClock } from '../../services/context.js';
import { adminPrincipal } from './principal.js';

/** Stores a connection without secrets, by default of the organization DEMO. Returns its id. */
export async function storeConnection(
  db: Db,
  { kind = 'endpoint-detection', name, code = 'DEMO' }: { readonly kind?: string; readonly name: string; readonly code?: string },
): Promise<string> {
  const connectionUuid = newUuid();
  const organization = await findOrganization(db, code);
  if (!organization) throw new Error(`The organization ${code} does not exist.`);
  await insertConnection(
    { db, by: adminPrincipal(), now: readClock },
    {
      connectionUuid,
      organizationUuid: organization.organization_uuid,
      connectorKind: kind,
      instanceName: name,
      description: '',
      settings: {},
      plainCredentials: {},
      secrets: [],
      remoteAgentUuid: null,
      needsSecondPerson: false,
      feedsIntake: false,
    },
  );
  return connectionUuid;
}
