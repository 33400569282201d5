import { lockCaseByUuid } from '../../db/cases/case-rows.js';
import { lockCaseOfAlert } from '../../db/investigations/investigations.js';
import { type InvestigationRef, moveToFailed, writeEnd } from '../../db/investigations/lifecycle.js';
import { clip } from '../../domain/text.js';
import type { EvidenceDraft } from '../../domain/verdict/evidence.js';
import { recomputeCaseVerdict } from '../cases/recompute-verdict.js';
import { addToTimeline } from '../cases/timeline.js';
import { inTransaction, type WorkContext } from '../context.js';
import { recordCaseEvent } from '../events/record-case-event.js';
import { toOpenedText } from './opened-text.js';

/** Sets status 20 and writes the reason on the case, which it opens if needed. False where the investigation is stale. */
export function failInvestigation(
  context: WorkContext,
  ref: InvestigationRef,
  cause: 'fail' | 'refuse' | 'reconcile-fail',
  failure: { attempt: number | null; reason: string; playbookUuid?: string },
): Promise<boolean> {
  const reason = clip(failure.reason, 4000);
  return inTransaction(context, async (inside) => {
    const { db, now } = inside;
    const at = now();
    const moved = await moveToFailed(db, ref, cause, { at, openedText: toOpenedText(ref), playbookUuid: failure.playbookUuid ?? null });
    if (moved === null) return false;
    await writeEnd(db, ref, moved, {
      at,
      status: 'Failed',
      attempt: failure.attempt,
      verdict: 'inconclusive',
      severity: 'low',
      severityReasons: ['The investigation failed'],
      score: 0,
      confidence: 0,
      summary: clip(`The investigation failed: ${reason}`, 10_000),
      reasons: [],
      entries: [toEvidence(reason)],
    });
    if (moved.isOpened) recordCaseEvent(inside, moved.caseUuid, 'case.opened', { alert_id: ref.alertId });
    const caseUuid = (await lockCaseOfAlert(db, moved.alertUuid)) ?? moved.caseUuid;
    recordCaseEvent(inside, caseUuid, 'alert.failed', { alert_id: ref.alertId });
    const text = `Investigation ${ref.investigationNo} failed: ${reason}`;
    await addToTimeline(inside, caseUuid, { kind: 'failed', by: null, text });
    const found = await lockCaseByUuid(db, caseUuid);
    if (found) await recomputeCaseVerdict(inside, found, { reopens: true });
    return true;
  });
}

function toEvidence(reason: string): EvidenceDraft {
  return { step: 'failure', kind: 'gap', source: null, title: 'The investigation failed', points: 0, reason, techniques: [] };
}
