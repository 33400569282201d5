import { recordAudit } from '../../db/identity/audit.js';
import { deleteRuleRow, lockRule } from '../../db/notifications/rules.js';
import { type Context, inTransaction } from '../context.js';
import { notFound } from '../errors.js';

/** Pending deliveries stay. */
export function deleteRule(context: Context, ruleUuid: string): Promise<void> {
  return inTransaction(context, async ({ db, by }) => {
    const found = await lockRule(db, by.organizationUuid, ruleUuid);
    if (!found) throw notFound('notification rule with this id');
    const { organizationUuid, name } = found;
    await deleteRuleRow(db, ruleUuid);
    await recordAudit(db, { by, organizationUuid, action: 'notification-rule.delete', target: ruleUuid, details: { name } });
  });
}
