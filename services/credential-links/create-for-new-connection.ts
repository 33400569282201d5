import { isNameTaken } from '../../db/connections/connections.js';
import { checkDefinition, takenName } from '../connections/setup.js';
import { type Context, inTransaction } from '../context.js';
import { storeLink } from './create.js';
import type { CreateConnectionLink, CreatedCredentialLink } from './wire.js';

/** A link that creates a connection when the customer sends its credentials. */
export function createLinkForNewConnection(context: Context, given: CreateConnectionLink): Promise<CreatedCredentialLink> {
  return inTransaction(context, async (inside) => {
    const { definition } = await checkDefinition(inside, given, null);
    if (await isNameTaken(inside.db, definition)) throw takenName();
    const { organizationUuid } = definition;
    return storeLink(inside, { organizationUuid, newConnection: definition }, given.valid_hours);
  });
}
