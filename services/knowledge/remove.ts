import { recordAudit } from '../../db/identity/audit.js';
import { deleteKnowledgeRow } from '../../db/organization/knowledge.js';
import { type Context, inTransaction } from '../context.js';
import { notFound } from '../errors.js';
import { requirePathOrganization } from '../organizations/require-organization.js';

export function removeKnowledge(context: Context, organizationCode: string, knowledgeUuid: string): Promise<void> {
  return inTransaction(context, async ({ db, by }) => {
    const organizationUuid = await requirePathOrganization(db, by, organizationCode);
    const gone = await deleteKnowledgeRow(db, organizationUuid, knowledgeUuid);
    if (gone === null) throw notFound('entry with this id');
    await recordAudit(db, { by, organizationUuid, action: 'knowledge.delete', target: knowledgeUuid, details: { ...gone } });
  });
}
