import { and, eq, inArray } from 'drizzle-orm';
import type { Transaction } from '../client.js';
import { caseTags } from '../schema/index.js';

export async function readTags(transaction: Transaction, caseUuid: string): Promise<string[]> {
  const rows = await transaction.select({ tag: caseTags.tag }).from(caseTags).where(eq(caseTags.caseUuid, caseUuid)).orderBy(caseTags.tag);
  return rows.map(({ tag }) => tag);
}

export async function changeTags(
  transaction: Transaction,
  caseUuid: string,
  { added, removed }: { added: readonly string[]; removed: readonly string[] },
): Promise<void> {
  if (removed.length > 0)
    await transaction.delete(caseTags).where(and(eq(caseTags.caseUuid, caseUuid), inArray(caseTags.tag, [...removed])));
  if (added.length > 0) await transaction.insert(caseTags).values(added.map((tag) => ({ caseUuid, tag })));
}
