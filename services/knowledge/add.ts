import { recordAudit } from '../../db/identity/audit.js';
import { newUuid } from '../../db/ids.js';
import { countKnowledge, deleteRejected, insertKnowledge } from '../../db/organization/knowledge.js';
import { MAX_KNOWLEDGE } from '../../domain/organization/knowledge.js';
import { type Context, inTransaction } from '../context.js';
import { conflict } from '../errors.js';
import { requirePathOrganization } from '../organizations/require-organization.js';
import { refuseDuplicate, toCanonicalFields } from './canonical-fields.js';
import type { Knowledge, SaveKnowledge } from './wire.js';

/** Adds an entry, also one that was rejected before. */
export function addKnowledge(context: Context, organizationCode: string, given: SaveKnowledge): Promise<Knowledge> {
  const added = inTransaction(context, async ({ db, by, now }) => {
    const organizationUuid = await requirePathOrganization(db, by, organizationCode);
    if ((await countKnowledge(db, organizationUuid)) >= MAX_KNOWLEDGE)
      throw conflict(`The organization has ${MAX_KNOWLEDGE} entries. Remove one, or use a larger network.`);
    const fields = toCanonicalFields(given);
    await deleteRejected(db, organizationUuid, fields);
    const knowledgeUuid = newUuid();
    const created = await insertKnowledge(db, {
      knowledgeUuid,
      organizationUuid,
      ...fields,
      createdBy: by.name,
      createdByUuid: by.userUuid,
      createdAt: now(),
    });
    await recordAudit(db, { by, organizationUuid, action: 'knowledge.create', target: knowledgeUuid, details: fields });
    return created;
  });
  return refuseDuplicate(added);
}
