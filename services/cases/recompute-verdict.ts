import type { CaseRow } from '../../db/cases/case-rows.js';
import { listNewestJudgements } from '../../db/investigations/investigations.js';
import { combineReasons, combineSeverities, rankJudgements, storeReasons } from '../../domain/verdict/verdict.js';
import type { Inside, WorkContext } from '../context.js';
import { changeCaseRow } from './change-case-row.js';
import { addToTimeline } from './timeline.js';

/**
 * Sets the verdict and the severity of a locked case to the most severe among the newest ended investigations of its alerts. Its summary
 * has the reasons of each. `reopens`: a changed verdict reopens a closed case.
 */
export async function recomputeCaseVerdict(inside: Inside<WorkContext>, found: CaseRow, { reopens }: { reopens: boolean }): Promise<void> {
  const { db, now } = inside;
  const judgements = rankJudgements(await listNewestJudgements(db, found.caseUuid));
  const [worst] = judgements;
  if (!worst) return;
  const { verdict, score, confidence } = worst;
  const { severity, severityReasons } = combineSeverities(judgements);
  const { summary, reasons } = combineReasons(judgements);
  const isReopened = reopens && found.status === 'closed' && found.verdict !== null && found.verdict !== verdict;
  await changeCaseRow(inside, found, {
    verdict,
    score,
    confidence,
    severity,
    summary,
    reasons: storeReasons(reasons, severityReasons),
    modifiedAt: now(),
    ...(isReopened ? { status: 'open', closedAt: null, classification: null } : {}),
  });
  const text = `closed → open: the verdict changed from ${found.verdict} to ${verdict}`;
  if (isReopened) await addToTimeline(inside, found.caseUuid, { kind: 'status', by: null, text });
}
