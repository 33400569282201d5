import { recordAudit } from '../../db/identity/audit.js';
import { newUuid } from '../../db/ids.js';
import { insertRejected } from '../../db/organization/knowledge.js';
import { type Context, inTransaction } from '../context.js';
import { requirePathOrganization } from '../organizations/require-organization.js';
import { toCanonicalFields } from './canonical-fields.js';
import type { SaveKnowledge } from './wire.js';

/** Remembers a suggestion that an admin does not want. Has no effect on an entry or on one rejected before. */
export function rejectSuggestion(context: Context, organizationCode: string, given: SaveKnowledge): Promise<void> {
  return inTransaction(context, async ({ db, by, now }) => {
    const organizationUuid = await requirePathOrganization(db, by, organizationCode);
    const [knowledgeUuid, fields] = [newUuid(), toCanonicalFields(given)];
    const row = { knowledgeUuid, organizationUuid, ...fields, createdBy: by.name, createdByUuid: by.userUuid, createdAt: now() };
    if (await insertRejected(db, row))
      await recordAudit(db, { by, organizationUuid, action: 'knowledge.reject', target: knowledgeUuid, details: fields });
  });
}
