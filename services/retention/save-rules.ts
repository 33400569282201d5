import { recordAudit } from '../../db/identity/audit.js';
import { lockOrganization } from '../../db/identity/organizations.js';
import { readRetention, replaceRules } from '../../db/lifecycle/retention-rules.js';
import type { RetentionRule } from '../../domain/organization/retention.js';
import { type Context, inTransaction } from '../context.js';
import { requirePathOrganization } from '../organizations/require-organization.js';
import type { Retention } from './wire.js';

/** Replaces all rules of the organization. */
export function saveRetentionRules(context: Context, organizationCode: string, rules: readonly RetentionRule[]): Promise<Retention> {
  return inTransaction(context, async ({ db, by }) => {
    const organizationUuid = await requirePathOrganization(db, by, organizationCode);
    const target = await lockOrganization(db, organizationUuid);
    await replaceRules(db, organizationUuid, rules);
    await recordAudit(db, { by, organizationUuid, action: 'retention.update', target, details: { rules } });
    return readRetention(db, organizationUuid);
  });
}
