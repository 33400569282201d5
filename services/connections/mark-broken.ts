import { breakConnection } from '../../db/connections/connection-calls.js';
import { clip } from '../../domain/text.js';
import { inTransaction, type WorkContext } from '../context.js';
import { announceConnection } from './announce.js';

/** Only the generation that failed: a reconnect in the meantime stays valid. */
export function markBroken(
  context: WorkContext,
  connection: { readonly connectionUuid: string; readonly generation: number },
  reason: string,
): Promise<void> {
  return inTransaction(context, async ({ db, now }) => {
    const broken = await breakConnection(db, connection, clip(reason, 1000), now());
    if (broken !== null) await announceConnection(db, 'connection.broken', broken);
  });
}
