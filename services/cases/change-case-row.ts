import { type CaseChanges, type CaseRow, updateCaseRow } from '../../db/cases/case-rows.js';
import type { Inside, WorkContext } from '../context.js';

/** Changes a locked case. */
export async function changeCaseRow({ db }: Inside<WorkContext>, { caseUuid }: CaseRow, changes: CaseChanges): Promise<void> {
  await updateCaseRow(db, caseUuid, changes);
}
