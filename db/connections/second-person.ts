import { eq, type SQL, sql } from 'drizzle-orm';
import type { Db, Transaction } from '../client.js';
import { connections } from '../schema/index.js';

/**
 * Whether writes of the connection need a second person: it requires one, or another connection of its kind and organization does.
 * Otherwise a second connection to the same third party would avoid the rule.
 */
export const needsSecondPerson: SQL<boolean> = sql<boolean>`exists (
  select from connections as guard where guard.organization_uuid = connections.organization_uuid
    and guard.connector_kind = connections.connector_kind and guard.needs_second_person)`;

/** false where the connection is gone. */
export async function readNeedsSecondPerson(db: Db | Transaction, connectionUuid: string): Promise<boolean> {
  const [connection] = await db.select({ needsSecondPerson }).from(connections).where(eq(connections.connectionUuid, connectionUuid));
  return connection?.needsSecondPerson ?? false;
}
