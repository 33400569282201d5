import { and, asc, eq, gt, isNull, ne, or, type SQL } from 'drizzle-orm';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { apiKeys } from '../schema/index.js';

const PEOPLE_AT_MOST = 1_000;

/** The people who work on the cases of an organization: its own keys and those for all organizations, without senders. */
function canWork(organizationUuid: string): SQL | undefined {
  return and(
    or(eq(apiKeys.organizationUuid, organizationUuid), isNull(apiKeys.organizationUuid)),
    ne(apiKeys.role, 'sender'),
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, nowSeconds())),
  );
}

/** Their names, each once, in alphabetical order. */
export async function listPeople(db: Db | Transaction, organizationUuid: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ name: apiKeys.name })
    .from(apiKeys)
    .where(canWork(organizationUuid))
    .orderBy(asc(apiKeys.name))
    .limit(PEOPLE_AT_MOST);
  return rows.map(({ name }) => name);
}

export async function isPerson(db: Db | Transaction, organizationUuid: string, name: string): Promise<boolean> {
  const rows = await db
    .select({ name: apiKeys.name })
    .from(apiKeys)
    .where(and(canWork(organizationUuid), eq(apiKeys.name, name)))
    .limit(1);
  return rows.length > 0;
}
