import type { CaseStatus } from '../../domain/case/case.js';
import type { Classification } from '../../domain/case/classification.js';
import type { Verdict } from '../../domain/verdict/evidence.js';
import type { UndoUpdate, UpdateCase } from './wire.js';

interface ValuesBefore {
  readonly status: CaseStatus;
  readonly assignee: string | null;
  readonly classification: Classification | null;
  readonly analystVerdict: Verdict | null;
  readonly analystVerdictReason: string | null;
  readonly tags: readonly string[];
}

/** null: there is nothing that an update could restore. Comments stay, and withdrawn proposals stay withdrawn. */
export function findUndo(before: ValuesBefore, update: UpdateCase): UndoUpdate | null {
  const isRetagged = update.tags !== undefined || update.add_tags !== undefined;
  const undo: UndoUpdate = {
    ...(update.assignee === undefined ? {} : { assignee: before.assignee }),
    ...(isRetagged ? { tags: [...before.tags] } : {}),
    ...undoClosing(before, update),
  };
  return Object.keys(undo).length === 0 ? null : undo;
}

function undoClosing(before: ValuesBefore, { status, classification, analyst_verdict: verdict }: UpdateCase): UndoUpdate {
  const hasStatus = status !== undefined || classification !== undefined;
  // A classification closes the case and sets the verdict again.
  if (hasStatus && before.classification !== null) return { classification: before.classification };
  // No update removes the classification of a closed case.
  if (before.status === 'closed' && classification !== undefined) return {};
  const hasVerdict = verdict !== undefined || classification !== undefined;
  const { analystVerdict, analystVerdictReason } = before;
  return {
    ...(hasStatus ? { status: before.status } : {}),
    ...(hasVerdict
      ? { analyst_verdict: analystVerdict === null ? null : { verdict: analystVerdict, reason: analystVerdictReason ?? analystVerdict } }
      : {}),
  };
}
