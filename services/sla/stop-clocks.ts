import { stopRunningClocks } from '../../db/sla/clocks.js';
import type { ClockKind } from '../../domain/sla/clock.js';
import type { Inside, WorkContext } from '../context.js';
import { recordCaseEvent } from '../events/record-case-event.js';

/** A clock that stops late, before a timekeeper marked it, is breached now. */
export async function stopClocks(inside: Inside<WorkContext>, caseUuid: string, kinds: readonly ClockKind[], at: number): Promise<void> {
  for (const { kind, dueAt } of await stopRunningClocks(inside.db, { caseUuid, kinds, at }))
    recordCaseEvent(inside, caseUuid, 'sla.breached', { clock: kind, due_at: dueAt });
}
