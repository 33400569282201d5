import { type ClockRef, lockStaleClock, updateClock } from '../../db/sla/clocks.js';
import { readPolicy } from '../../db/sla/policies.js';
import { SlaTimes } from '../../domain/sla/clock.js';
import { inTransaction, type WorkContext } from '../context.js';
import { recordCaseEvent } from '../events/record-case-event.js';

/**
 * Computes the due times of one clock. A clock that has stopped too late is breached at once. A clock that only the new policy makes
 * late is breached without an event.
 */
export function computeClock(context: WorkContext, ref: ClockRef): Promise<void> {
  return inTransaction(context, async (inside) => {
    const { db, now } = inside;
    const clock = await lockStaleClock(db, ref);
    if (clock === null) return;
    const policy = await readPolicy(db, clock.organizationUuid);
    const { dueAt, warnAt } = new SlaTimes(policy).compute(clock, clock.severity);
    const savedAt = policy.modified_at ?? 0;
    const isLateByPolicy = dueAt !== null && dueAt <= savedAt && (clock.dueAt === null || clock.dueAt > savedAt);
    const isStoppedLate = dueAt !== null && clock.stoppedAt !== null && clock.stoppedAt > dueAt;
    const isWarningAhead = warnAt === null || warnAt > now();
    await updateClock(db, ref, {
      ...{ dueAt, warnAt, isStale: false },
      ...(isWarningAhead ? { warnedAt: null } : {}),
      ...(isLateByPolicy || isStoppedLate ? { breachedAt: dueAt } : {}),
    });
    if (isStoppedLate && !isLateByPolicy && clock.breachedAt === null)
      recordCaseEvent(inside, ref.caseUuid, 'sla.breached', { clock: ref.kind, due_at: dueAt });
  });
}
