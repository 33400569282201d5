import { ownNameSources } from '../../connectors/skill-index.js';
import type { Db } from '../../db/client.js';
import { readKnowledge } from '../../db/organization/knowledge.js';
import { readStoredSigns } from '../../db/organization/suggestions.js';
import type { Principal } from '../../domain/identity/identity.js';
import type { KnowledgeSuggestion } from '../../domain/organization/knowledge.js';
import { suggestKnowledge as suggestFromSigns } from '../../domain/organization/suggestions.js';
import { requirePathOrganization } from '../organizations/require-organization.js';

/** Knowledge that stored alerts and answers suggest. */
export async function suggestKnowledge(db: Db, by: Principal, organizationCode: string): Promise<KnowledgeSuggestion[]> {
  const organizationUuid = await requirePathOrganization(db, by, organizationCode);
  const [signs, known, rejected] = await Promise.all([
    readStoredSigns(db, organizationUuid, ownNameSources),
    readKnowledge(db, organizationUuid),
    readKnowledge(db, organizationUuid, { isRejected: true }),
  ]);
  return suggestFromSigns(signs, known, rejected);
}
