import type { Transaction } from '../../db/client.js';
import { recordAudit } from '../../db/identity/audit.js';
import { deleteCases, deleteRows } from '../../db/lifecycle/delete-due.js';
import type { AppliedRule } from '../../db/lifecycle/due-data.js';
import { inTransaction, type WorkContext } from '../context.js';

/** Deletes those of the cases that are still due, with everything that belongs to their alerts. Returns their number. */
export function deleteDueCases(context: WorkContext, rule: AppliedRule, caseUuids: readonly string[]): Promise<number> {
  return recordDeletion(context, rule, (db) => deleteCases(db, rule, caseUuids));
}

/** Deletes at most `limit` rows of a kind that is not `alerts` or `histories`. Returns their number. */
export function deleteDueRows(context: WorkContext, rule: AppliedRule, limit: number): Promise<number> {
  return recordDeletion(context, rule, (db) => deleteRows(db, rule, limit));
}

/** Writes the audit entry in the transaction of the deletion, which returns the number of deleted items. */
export function recordDeletion(
  context: WorkContext,
  rule: AppliedRule,
  deleteItems: (db: Transaction) => number | Promise<number>,
): Promise<number> {
  return inTransaction(context, async ({ db, by }) => {
    const deleted = await deleteItems(db);
    const { kind, severity, days, organizationUuid } = rule;
    const details = { kind, severity, days, deleted };
    if (deleted > 0) await recordAudit(db, { by, organizationUuid, action: 'retention.delete', target: organizationUuid, details });
    return deleted;
  });
}
