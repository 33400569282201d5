import { insertTimelineEntry } from '../../db/cases/timeline.js';
import type { TimelineEntry } from '../../domain/case/case.js';
import type { Inside, WorkContext } from '../context.js';
import { stopClocks } from '../sla/stop-clocks.js';

/** The first entry of a person or a key acknowledges the case. Returns the number of the entry. */
export async function addToTimeline(
  inside: Inside<WorkContext>,
  caseUuid: string,
  entry: Omit<TimelineEntry, 'at' | 'mentions'>,
): Promise<number> {
  const at = inside.now();
  const byUuid = entry.by !== null && entry.by === inside.by?.name ? inside.by.userUuid : null;
  const entryNo = await insertTimelineEntry(inside.db, { caseUuid, at, ...entry, byUuid });
  if (entry.by !== null) await stopClocks(inside, caseUuid, ['acknowledge'], at);
  return entryNo;
}
