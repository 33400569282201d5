import { recordAudit } from '../../db/identity/audit.js';
import { deleteSharedEntries, deleteSharedInvitations, readSharedDays, saveSharedDays } from '../../db/lifecycle/shared-rows.js';
import { inTransaction, type WorkContext } from '../context.js';

/** The target of audit entries about rows that belong to no organization. */
const target = 'shared';

/** Deletes at most `limit` rows of each kind that belong to no organization and are older than `days`. */
export function deleteSharedRows(context: WorkContext, days: number, limit: number): Promise<{ audit: number; invitations: number }> {
  return inTransaction(context, async ({ db, by }) => {
    const record = (action: string, details: Record<string, unknown>) =>
      recordAudit(db, { by, organizationUuid: null, action, target, details });
    if ((await readSharedDays(db)) !== days && (await saveSharedDays(db, days))) await record('retention.update', { days });
    const deleted = { audit: await deleteSharedEntries(db, days, limit), invitations: await deleteSharedInvitations(db, days, limit) };
    for (const [kind, count] of Object.entries(deleted)) if (count > 0) await record('retention.delete', { kind, days, deleted: count });
    return deleted;
  });
}
