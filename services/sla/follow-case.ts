import type { CaseRow } from '../../db/cases/case-rows.js';
import { markClocksStale, resumeCloseClock } from '../../db/sla/clocks.js';
import { ClockKind } from '../../domain/sla/clock.js';
import type { Inside, WorkContext } from '../context.js';
import { stopClocks } from './stop-clocks.js';

/** Lets the clocks follow a change of a locked case: closing stops them, reopening resumes one, the severity has its own targets. */
export async function followCase(inside: Inside<WorkContext>, before: CaseRow, after: CaseRow): Promise<void> {
  const { db, now } = inside;
  const { caseUuid, organizationUuid } = after;
  if (after.status === 'closed' && before.status !== 'closed')
    await stopClocks(inside, caseUuid, ClockKind.options, after.closedAt ?? now());
  if (after.status !== 'closed' && before.status === 'closed') await resumeCloseClock(db, { caseUuid, organizationUuid, at: now() });
  // A clock that stopped before the first verdict gets its due time with it.
  if (after.severity !== before.severity)
    await markClocksStale(db, { caseUuid, organizationUuid, includesStopped: before.severity === null });
}
