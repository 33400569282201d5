import { takeExpiringSecrets } from '../../db/connections/connections.js';
import { EXPIRY_WARNING_DAYS } from '../../domain/connection/secret-expiry.js';
import { inTransaction, type WorkContext } from '../context.js';
import { recordEvent } from '../events/record-event.js';

/** Each day of expiry once for each connection. */
export function announceExpiringSecrets(context: WorkContext): Promise<void> {
  return inTransaction(context, async ({ db }) => {
    for (const expiring of await takeExpiringSecrets(db, EXPIRY_WARNING_DAYS)) {
      const { connectionUuid, organizationUuid, connectorKind, instanceName, expiresOn } = expiring;
      const connection = { connection_id: connectionUuid, connector: connectorKind, instance_name: instanceName };
      const data = { ...connection, expires_on: expiresOn };
      await recordEvent(db, { name: 'secret.expiring', organizationUuid, subjectUuid: connectionUuid, data });
    }
  });
}
