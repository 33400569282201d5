import { lockCaseOfAlert } from '../../db/investigations/investigations.js';
import { addToTimeline } from '../cases/timeline.js';
import type { Inside, WorkContext } from '../context.js';

/** One more follow-up of an alert after this many rarely changes the verdict. */
export const MAX_FOLLOW_UPS = 10;

/** Writes the plan on the case of the alert. */
export async function announceFollowUp(
  inside: Inside<WorkContext>,
  { alertUuid, alertId }: { alertUuid: string; alertId: string },
  { dueAt, reason }: { dueAt: number; reason: string },
): Promise<void> {
  const caseUuid = await lockCaseOfAlert(inside.db, alertUuid);
  const when = `${new Date(dueAt * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const text = `Follow-up investigation of ${alertId} planned for ${when}: ${reason}`;
  if (caseUuid !== null) await addToTimeline(inside, caseUuid, { kind: 'follow-up', by: null, text });
}
