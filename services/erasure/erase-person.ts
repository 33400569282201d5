import type { PgClient } from '../../db/client.js';
import { insertAuditEntry } from '../../db/identity/audit.js';
import { erasePersonalRows, insertErasure, type Matcher, markErasureEnded } from '../../db/lifecycle/erase-person.js';

/** Removes the identifiers from every table in one transaction, and records it without them. */
export function erasePerson(
  pg: PgClient,
  organization: { uuid: string; code: string },
  matcher: Matcher,
  histories: number,
): Promise<Record<string, number>> {
  return pg.begin(async (transaction) => {
    const erasureUuid = await insertErasure(transaction, organization.uuid);
    const erased = await erasePersonalRows(transaction, organization.uuid, matcher);
    const details = { erasure_id: erasureUuid, rows: erased, histories };
    await insertAuditEntry(transaction, {
      organizationUuid: organization.uuid,
      action: 'person.erase',
      target: organization.code,
      details,
    });
    await markErasureEnded(transaction, erasureUuid);
    return erased;
  });
}
