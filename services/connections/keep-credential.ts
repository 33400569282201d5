import { type SealedSecret, updateConnectionRow, writeSecrets } from '../../db/connections/connections.js';
import { inTransaction, type WorkContext } from '../context.js';

/** Adds a secret that the third party issued to us. */
export function keepCredential(context: WorkContext, connectionUuid: string, secret: SealedSecret): Promise<void> {
  return inTransaction(context, async ({ db, now }) => {
    await writeSecrets(db, connectionUuid, [secret]);
    await updateConnectionRow(db, connectionUuid, { modifiedAt: now() });
  });
}
