import { recordAudit } from '../../db/identity/audit.js';
import { lockRule, updateRuleRow } from '../../db/notifications/rules.js';
import { type Context, inTransaction } from '../context.js';
import { notFound } from '../errors.js';
import { checkRule } from './check-rule.js';
import type { Rule, SaveRule } from './wire.js';

export function updateRule(context: Context, ruleUuid: string, given: SaveRule): Promise<Rule> {
  return inTransaction(context, async ({ db, by, now }) => {
    const found = await lockRule(db, by.organizationUuid, ruleUuid);
    if (!found) throw notFound('notification rule with this id');
    const { organizationUuid } = found;
    const columns = await checkRule(db, organizationUuid, given);
    const rule = await updateRuleRow(db, ruleUuid, { ...columns, modifiedAt: now() });
    const { name } = given;
    await recordAudit(db, { by, organizationUuid, action: 'notification-rule.update', target: ruleUuid, details: { name } });
    return rule;
  });
}
