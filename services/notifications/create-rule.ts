import { recordAudit } from '../../db/identity/audit.js';
import { newUuid } from '../../db/ids.js';
import { countRules, insertRule } from '../../db/notifications/rules.js';
import { type Context, inTransaction } from '../context.js';
import { conflict } from '../errors.js';
import { requireOrganization } from '../organizations/require-organization.js';
import { checkRule } from './check-rule.js';
import type { CreateRule, Rule } from './wire.js';

/** For each organization. */
const MAX_RULES = 200;

export function createRule(context: Context, { organization_code: code, ...given }: CreateRule): Promise<Rule> {
  return inTransaction(context, async ({ db, by, now }) => {
    const organizationUuid = await requireOrganization(db, by, code);
    const columns = await checkRule(db, organizationUuid, given);
    if ((await countRules(db, organizationUuid)) >= MAX_RULES)
      throw conflict(`An organization has at most ${MAX_RULES} rules. Delete one first.`);
    const ruleUuid = newUuid();
    const rule = await insertRule(db, { ...columns, ruleUuid, organizationUuid, createdAt: now(), modifiedAt: now() });
    const { name } = given;
    await recordAudit(db, { by, organizationUuid, action: 'notification-rule.create', target: ruleUuid, details: { name } });
    return rule;
  });
}
