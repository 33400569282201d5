import { newUuid } from '../../db/ids.js';
import { requireConfirmedAgent } from '../agents/require-confirmed.js';
import { inTransaction } from '../context.js';
import type { ConnectionContext } from './context.js';
import { checkSecretExpiry, splitCredentials } from './fields.js';
import { insertConnection } from './insert.js';
import { readConnection } from './read.js';
import { checkDefinition, refuseTakenName } from './setup.js';
import type { Connection, CreateConnection } from './wire.js';

export function createConnection(context: ConnectionContext, given: CreateConnection): Promise<Connection> {
  const create = () =>
    inTransaction(context, async (inside) => {
      checkSecretExpiry(given.secret_expires_on, inside.now());
      const { contract, definition, credentials } = await checkDefinition(inside, given, given.credentials);
      await requireConfirmedAgent(inside.db, definition.remoteAgentUuid);
      const place = { organizationUuid: definition.organizationUuid, connectionUuid: newUuid() };
      const sealed = splitCredentials(contract, credentials, context.keyring, place);
      await insertConnection(inside, { ...definition, ...place, ...sealed, secretExpiresOn: given.secret_expires_on ?? null });
      return readConnection(inside, place.connectionUuid);
    });
  return refuseTakenName(create);
}
