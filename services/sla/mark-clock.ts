import { type ClockRef, markBreached, markDueSoon } from '../../db/sla/clocks.js';
import { inTransaction, type WorkContext } from '../context.js';
import { recordCaseEvent } from '../events/record-case-event.js';

const MARKS = { 'sla.breached': markBreached, 'sla.due_soon': markDueSoon } as const;

/** Marks a clock that is due. Of several processes one marks it and writes the event. */
export function markClock(context: WorkContext, clock: ClockRef, event: keyof typeof MARKS): Promise<void> {
  return inTransaction(context, async (inside) => {
    const dueAt = await MARKS[event](inside.db, clock);
    if (dueAt !== null) recordCaseEvent(inside, clock.caseUuid, event, { clock: clock.kind, due_at: dueAt });
  });
}
