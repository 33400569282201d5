import type { PgClient } from '../../db/client.js';
import { markUnusedPlaybooksDeleted, removeDeletedPlaybooks } from '../../db/playbooks/playbook-lifecycle.js';
import { UNUSED_DAYS } from '../../domain/playbook/shared-playbook.js';

/** Sender-made alert types must not fill the list for ever. */
export async function deleteUnusedPlaybooks(pg: PgClient): Promise<void> {
  await pg.begin(async (transaction) => {
    await markUnusedPlaybooksDeleted(transaction, UNUSED_DAYS);
    await removeDeletedPlaybooks(transaction);
  });
}
