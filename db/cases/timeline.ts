import type { Transaction } from '../client.js';
import { insertCaseEvent } from '../notifications/events.js';
import { caseMentions, caseTimeline } from '../schema/index.js';
import { stopRunningClocks } from '../sla/clocks.js';

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

/** For entries that no command writes yet: an entry of a person acknowledges the case, as in services/cases/timeline.ts. */
export async function insertAcknowledgingEntry(transaction: Transaction, entry: typeof caseTimeline.$inferInsert): Promise<void> {
  await insertTimelineEntry(transaction, entry);
  const { caseUuid, at } = entry;
  const late = entry.by == null ? [] : await stopRunningClocks(transaction, { caseUuid, kinds: ['acknowledge'], at });
  for (const { kind, dueAt } of late)
    await insertCaseEvent(transaction, { name: 'sla.breached', caseUuid, data: { clock: kind, due_at: dueAt } });
}
