import type { PgClient } from '../../db/client.js';
import { countPersonalRows, type Matcher, type PersonalRows } from '../../db/lifecycle/erase-person.js';

/** Counts the rows that contain an identifier, in one snapshot. Changes nothing. */
export function findPerson(pg: PgClient, organizationUuid: string, matcher: Matcher): Promise<PersonalRows[]> {
  return pg.begin('isolation level repeatable read read only', (transaction) => countPersonalRows(transaction, organizationUuid, matcher));
}
