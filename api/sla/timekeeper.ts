import { ChangeAnnouncer } from '../../db/changes.js';
import type { Database } from '../../db/client.js';
import { type ClockRef, listClocksToMark, listStaleClocks } from '../../db/sla/clocks.js';
import type { Logger } from '../../platform/log.js';
import { PollingLoop } from '../../platform/polling-loop.js';
import { asService } from '../../services/context.js';
import { computeClock } from '../../services/sla/compute-clock.js';
import { markClock } from '../../services/sla/mark-clock.js';

const BATCH = 200;

/**
 * Computes the due times of SLA clocks and marks those that are due. Several processes may run one. Each clock has its own
 * transaction, because the events of several cases in one transaction could deadlock.
 */
export function createTimekeeper({ database: { db, pg }, log }: { database: Database; log: Logger }): PollingLoop {
  const context = asService(db);
  const announcer = new ChangeAnnouncer(pg);
  /** A clock that fails, such as one with a zone that Node.js forgot, does not hold up the others. */
  const handle = async (clocks: readonly ClockRef[], change: (clock: ClockRef) => Promise<void>) => {
    let failed = 0;
    for (const clock of clocks) {
      try {
        await change(clock);
        announcer.mark(['cases'], [clock.caseId]);
      } catch (error) {
        failed += 1;
        log.warn({ err: error, case_id: clock.caseId, clock: clock.kind }, 'an SLA clock failed');
      }
    }
    return clocks.length === BATCH && failed === 0;
  };
  const pass = async () => {
    const isFull = [await handle(await listStaleClocks(pg, BATCH), (clock) => computeClock(context, clock))];
    const { over, close } = await listClocksToMark(pg, BATCH);
    isFull.push(
      await handle(over, (clock) => markClock(context, clock, 'sla.breached')),
      await handle(close, (clock) => markClock(context, clock, 'sla.due_soon')),
    );
    return isFull.includes(true);
  };
  return new PollingLoop({ name: 'keeping SLA clocks', pass, log });
}
