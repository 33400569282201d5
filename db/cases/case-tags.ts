import { and, eq, inArray } from 'drizzle-orm';
import type { Transaction } from '../client.js';
import { caseTags } from '../schema/index.js';

export async function readTags(transaction: Transaction, caseUuid: string): Promise<string[]> {
  const rows = await transaction.select({ tag: caseTags.tag }).from(caseTags).where(eq(caseTags.caseUuid, caseUuid)).orderBy(caseTags.tag);
  return rows.map(({ tag }) => tag);
}

/** Returns the difference as text for the timeline; null where the case had exactly these tags. */
export async function replaceTags(
  transaction: Transaction,
  caseUuid: string,
  before: readonly string[],
  tags: readonly string[],
): Promise<string | null> {
  const added = [...new Set(tags)].filter((tag) => !before.includes(tag));
  const removed = before.filter((tag) => !tags.includes(tag));
  if (removed.length > 0) await transaction.delete(caseTags).where(and(eq(caseTags.caseUuid, caseUuid), inArray(caseTags.tag, removed)));
  if (added.length > 0) await transaction.insert(caseTags).values(added.map((tag) => ({ caseUuid, tag })));
  const changes = [...added.map((tag) => `+${tag}`), ...removed.map((tag) => `−${tag}`)];
  return changes.length === 0 ? null : changes.join(', ');
}
