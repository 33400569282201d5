import { freeSlots } from '../../db/connections/connection-calls.js';
import { type ConnectionRow, updateConnectionRow, writeSecrets } from '../../db/connections/connections.js';
import { type Context, inTransaction } from '../context.js';
import { auditConnection } from './audit.js';
import type { GivenCredentials } from './insert.js';

/** Replaces credentials by name. Waiting workflows continue after a passed test. */
export function replaceCredentials(
  context: Omit<Context, 'runner'>,
  connection: ConnectionRow,
  { plainCredentials, secrets, secretExpiresOn = null }: GivenCredentials,
): Promise<void> {
  return inTransaction(context, async (inside) => {
    const { db, now } = inside;
    const at = now();
    await updateConnectionRow(
      db,
      connection.connectionUuid,
      {
        plainCredentials,
        state: 'untested',
        stateReason: null,
        stateSince: at,
        blockedUntil: null,
        blockReason: null,
        failuresInARow: 0,
        throttledInARow: 0,
        secretsSetAt: at,
        // Without a new secret, the day of the stored one stays.
        ...(secrets.length === 0 && secretExpiresOn === null ? {} : { secretExpiresOn }),
        modifiedAt: at,
      },
      { isNewGeneration: true },
    );
    // The requests with the earlier credentials do not delay the investigations that wait for these.
    await freeSlots(db, connection.connectionUuid);
    await writeSecrets(db, connection.connectionUuid, secrets);
    await auditConnection(inside, connection, 'connection.reconnect', { secret_expires_on: secretExpiresOn });
  });
}
