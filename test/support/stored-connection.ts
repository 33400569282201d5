import type { Db } from '../../db/client.js';
import { findOrganization } from '../../db/identity/organizations.js';
import { newUuid } from '../../db/ids.js';
import { insertConnection } from '../../services/connections/insert.js';
import { readClock } from '../../services/context.js';
import { adminPrincipal } from './principal.js';

/** Stores a connection without secrets, by default of the organization DEMO. Returns its id. */
export async function storeConnection(
  db: Db,
  {
    kind = 'endpoint-detection',
    name,
    code = 'DEMO',
    organizationUuid,
    needsSecondPerson = false,
  }: {
    readonly kind?: string;
    readonly name: string;
    readonly code?: string;
    /** Instead of the code. */
    readonly organizationUuid?: string;
    readonly needsSecondPerson?: boolean;
  },
): Promise<string> {
  const connectionUuid = newUuid();
  const owner = organizationUuid ?? (await findOrganization(db, code))?.organization_uuid;
  if (owner === undefined) throw new Error(`The organization ${code} does not exist.`);
  await insertConnection(
    { db, by: adminPrincipal(), now: readClock },
    {
      connectionUuid,
      organizationUuid: owner,
      connectorKind: kind,
      instanceName: name,
      description: '',
      settings: {},
      plainCredentials: {},
      secrets: [],
      remoteAgentUuid: null,
      needsSecondPerson,
      feedsIntake: false,
    },
  );
  return connectionUuid;
}
