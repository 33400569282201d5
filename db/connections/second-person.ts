import { eq, type SQL, sql } from 'drizzle-orm';
import type { SecondPersonRule } from '../../domain/response/sensitive-write.js';
import type { Db, Transaction } from '../client.js';
import { connections } from '../schema/index.js';

/**
 * The rule for writes of the connection. If another connection of its kind and organization requires a second person, it does too:
 * a second connection to the same third party would avoid the rule.
 */
export const secondPersonRule: SQL<SecondPersonRule> = sql<SecondPersonRule>`case
  when exists (select from connections as guard where guard.organization_uuid = connections.organization_uuid
    and guard.connector_kind = connections.connector_kind and guard.needs_second_person) then 'always'
  when connections.connection_uuid is not null and connections.needs_second_person is null then 'sensitive'
  else 'never' end`;

/** `never` where the connection is gone. */
export async function readSecondPersonRule(db: Db | Transaction, connectionUuid: string): Promise<SecondPersonRule> {
  const [connection] = await db.select({ secondPersonRule }).from(connections).where(eq(connections.connectionUuid, connectionUuid));
  return connection?.secondPersonRule ?? 'never';
}
