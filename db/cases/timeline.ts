import type { Transaction } from '../client.js';
import { caseMentions, caseTimeline } from '../schema/index.js';

/** Returns the number of the entry. */
export async function insertTimelineEntry(transaction: Transaction, entry: typeof caseTimeline.$inferInsert): Promise<number> {
  const [added] = await transaction.insert(caseTimeline).values(entry).returning({ entryNo: caseTimeline.entryNo });
  if (!added) throw new Error('The timeline entry was not found in the transaction that inserted it.');
  return added.entryNo;
}

export async function insertMentions(
  transaction: Transaction,
  { caseUuid, entryNo }: { caseUuid: string; entryNo: number },
  names: readonly string[],
): Promise<void> {
  if (names.length > 0) await transaction.insert(caseMentions).values(names.map((name) => ({ caseUuid, entryNo, name })));
}
