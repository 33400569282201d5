import { touchCaseOfAlert } from '../../db/cases/case-scope.js';
import { insertTimelineEntry } from '../../db/cases/timeline.js';
import type { TimelineEntry } from '../../domain/case/case.js';
import type { Inside, WorkContext } from '../context.js';
import { stopClocks } from '../sla/stop-clocks.js';

type NewEntry = Omit<TimelineEntry, 'at' | 'mentions'>;

/** The first entry of a person or a key acknowledges the case. Returns the number of the entry. */
export async function addToTimeline(inside: Inside<WorkContext>, caseUuid: string, entry: NewEntry): Promise<number> {
  const at = inside.now();
  const byUuid = entry.by !== null && entry.by === inside.by?.name ? inside.by.userUuid : null;
  const entryNo = await insertTimelineEntry(inside.db, { caseUuid, at, ...entry, byUuid });
  if (entry.by !== null) await stopClocks(inside, caseUuid, ['acknowledge'], at);
  return entryNo;
}

/** Adds to the timeline of the alert's current case, if it has one. A manual write has no alert. */
export async function addToTimelineOfAlert(inside: Inside<WorkContext>, alertUuid: string | null, entry: NewEntry): Promise<void> {
  const caseUuid = alertUuid === null ? null : await touchCaseOfAlert(inside.db, alertUuid, inside.now());
  if (caseUuid !== null) await addToTimeline(inside, caseUuid, entry);
}
