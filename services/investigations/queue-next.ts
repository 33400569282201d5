import { recordAudit } from '../../db/identity/audit.js';
import { type InvestigationRef, moveToNext } from '../../db/investigations/lifecycle.js';
import { addToTimeline } from '../cases/timeline.js';
import type { Inside, WorkContext } from '../context.js';
import { recordCaseEvent } from '../events/record-case-event.js';
import { toOpenedText } from './opened-text.js';

interface Wish {
  /** The first stored answer that the investigation does not reuse. */
  readonly reuseBefore: string | null;
  /** For the timeline, after the number of the investigation. */
  readonly how: string;
  readonly details: Record<string, unknown>;
}

/** Requests the next investigation. Returns its number; null where this one has not ended. */
export async function queueNextInvestigation(
  inside: Inside<WorkContext>,
  ref: InvestigationRef,
  { reuseBefore, how, details }: Wish,
): Promise<number | null> {
  const { db, by, now } = inside;
  const moved = await moveToNext(db, ref, { at: now(), openedText: toOpenedText(ref), reuseBefore });
  if (moved === null) return null;
  if (moved.isOpened) recordCaseEvent(inside, moved.caseUuid, 'case.opened', { alert_id: ref.alertId });
  const investigationNo = ref.investigationNo + 1;
  const text = `Requested investigation ${investigationNo}${how}`;
  await addToTimeline(inside, moved.caseUuid, { kind: 'reinvestigated', by: by?.name ?? null, text });
  await recordAudit(db, {
    by,
    organizationUuid: moved.organizationUuid,
    action: 'alert.investigate',
    target: ref.alertId,
    details: { investigation_no: investigationNo, ...details },
  });
  return investigationNo;
}
