import { recordAudit } from '../../db/identity/audit.js';
import { updateKnowledge } from '../../db/organization/knowledge.js';
import { type Context, inTransaction } from '../context.js';
import { notFound } from '../errors.js';
import { requirePathOrganization } from '../organizations/require-organization.js';
import { refuseDuplicate, toCanonicalFields } from './canonical-fields.js';
import type { Knowledge, SaveKnowledge } from './wire.js';

export function changeKnowledge(
  context: Context,
  organizationCode: string,
  knowledgeUuid: string,
  given: SaveKnowledge,
): Promise<Knowledge> {
  const changed = inTransaction(context, async ({ db, by }) => {
    const organizationUuid = await requirePathOrganization(db, by, organizationCode);
    const fields = toCanonicalFields(given);
    const entry = await updateKnowledge(db, organizationUuid, knowledgeUuid, fields);
    if (entry === null) throw notFound('entry with this id');
    await recordAudit(db, { by, organizationUuid, action: 'knowledge.update', target: knowledgeUuid, details: fields });
    return entry;
  });
  return refuseDuplicate(changed);
}
