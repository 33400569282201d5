import { type CaseChanges, type CaseRow, updateCaseRow } from '../../db/cases/case-rows.js';
import type { Inside, WorkContext } from '../context.js';
import { recordCaseEvent } from '../events/record-case-event.js';
import { followCase } from '../sla/follow-case.js';

/** Changes a locked case. Its clocks follow, and changes of assignee, verdict and severity write their events. */
export async function changeCaseRow(inside: Inside<WorkContext>, before: CaseRow, changes: CaseChanges): Promise<void> {
  const { caseUuid, assignee, severity } = before;
  const after = { ...before, ...changes };
  await updateCaseRow(inside.db, caseUuid, changes);
  await followCase(inside, before, after);
  if (after.assignee !== assignee)
    recordCaseEvent(inside, caseUuid, 'case.assigned', { previous_assignee: assignee, assigned_by: inside.by?.name ?? null });
  const verdict = readVerdict(before);
  if (readVerdict(after) !== verdict || after.severity !== severity)
    recordCaseEvent(inside, caseUuid, 'case.verdict_changed', { previous_verdict: verdict, previous_severity: severity });
}

/** An analyst's verdict replaces the service's own. */
function readVerdict({ analystVerdict, verdict }: CaseRow): CaseRow['verdict'] {
  return analystVerdict ?? verdict;
}
