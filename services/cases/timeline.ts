import { insertTimelineEntry } from '../../db/cases/timeline.js';
import type { TimelineEntry } from '../../domain/case/case.js';
import type { Inside, WorkContext } from '../context.js';

/** Returns the number of the entry. */
export function addToTimeline(
  { db, now }: Pick<Inside<WorkContext>, 'db' | 'now'>,
  caseUuid: string,
  entry: Omit<TimelineEntry, 'at' | 'mentions'>,
): Promise<number> {
  return insertTimelineEntry(db, { caseUuid, at: now(), ...entry });
}
