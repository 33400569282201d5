import { type MergeOutcome, mergeCase, unmergeCase } from '../../db/cases/case-merge.js';
import { listCaseAlerts, updateCase } from '../../db/cases/cases.js';
import type { Db } from '../../db/client.js';
import type { CaseChange, CaseChangeResult } from '../../domain/case/bulk.js';
import type { UpdateCase } from '../../domain/case/case.js';
import { TAGS_AT_MOST } from '../../domain/case/tags.js';
import type { UndoUpdate } from '../../domain/case/undo.js';
import type { Principal } from '../../domain/identity/identity.js';
import { PROPOSAL_CHANGED, proposalWorkflowId } from '../../domain/response/proposal.js';
import { type CommandError, conflict, invalid, notFound, toCommandError } from '../errors.js';
import { investigateAgain } from '../investigations/investigate-again.js';
import type { WorkflowRunner } from '../workflow-runner.js';

interface ChangeDeps {
  readonly db: Db;
  readonly runner: WorkflowRunner;
}

const UNKNOWN_ASSIGNEE = {
  pointer: '#/assignee',
  detail:
    'No active key of an analyst or an admin has this name. Send a name of GET /platformapi/organizations/{organization_code}/people, or create a key for the person.',
};

/** Returns the update that restores the earlier values. */
export async function updateOneCase(deps: ChangeDeps, by: Principal, caseId: string, update: UpdateCase): Promise<UndoUpdate | null> {
  const updated = await updateCase(deps.db, by, caseId, update);
  if (updated.outcome === 'unknown') throw notFound('case with this id');
  if (updated.outcome === 'merged')
    throw conflict('This case is merged into another case. Update the other case, or unmerge this one first.');
  if (updated.outcome === 'unknown-assignee') throw invalid([UNKNOWN_ASSIGNEE]);
  if (updated.outcome === 'too-many-tags') throw conflict(`A case has at most ${TAGS_AT_MOST} tags. Remove tags first.`);
  // If these signals are lost, the reconcile pass wakes the workflows.
  await deps.runner.signal(updated.withdrawn.map(proposalWorkflowId), PROPOSAL_CHANGED);
  return updated.undo;
}

/** Returns the id of the case that has the alerts. */
export async function mergeOneCase(db: Db, by: Principal, caseId: string, merge: { into: string; reason: string }): Promise<string> {
  return requireMerged(await mergeCase(db, by, caseId, merge));
}

export function requireMerged(merged: MergeOutcome): string {
  if (merged.outcome === 'unknown') throw notFound('case with this id');
  if (merged.outcome === 'unknown-target') throw notFound('case with the id in `into`');
  if (merged.outcome === 'conflict') throw conflict(merged.why);
  return merged.caseId;
}

/** Investigates every alert of the case whose investigation ended. Throws if none did. */
async function investigateCase(db: Db, by: Principal, caseId: string): Promise<void> {
  const alertIds = await listCaseAlerts(db, by.organizationUuid, caseId);
  if (alertIds === null) throw notFound('case with this id');
  if (alertIds.length === 0) throw conflict('This case is merged into another case. Investigate the other case.');
  const refusals: CommandError[] = [];
  for (const alertId of alertIds) await investigateAgain(db, by, alertId, null).catch((error) => refusals.push(requireRefusal(error)));
  const [first] = refusals;
  if (first && refusals.length === alertIds.length) throw first;
}

const UNDO_MERGE = { reason: 'The merge of several cases was undone.' };

/** One change of many: a refusal is its result, so that the others continue. */
export async function changeOneCase(deps: ChangeDeps, by: Principal, change: CaseChange): Promise<CaseChangeResult> {
  const { case_id, update, merge, unmerge } = change;
  try {
    const undo = update === undefined ? null : await updateOneCase(deps, by, case_id, update);
    if (merge !== undefined) await mergeOneCase(deps.db, by, case_id, merge);
    if (unmerge !== undefined) requireMerged(await unmergeCase(deps.db, by, case_id, unmerge));
    if (change.investigate) await investigateCase(deps.db, by, case_id);
    return { case_id, is_changed: true, problem: null, undo, unmerge: merge === undefined ? null : UNDO_MERGE };
  } catch (error) {
    return { case_id, is_changed: false, problem: requireRefusal(error).message, undo: null, unmerge: null };
  }
}

/** A fault of the service is no refusal. */
function requireRefusal(error: unknown): CommandError {
  const refusal = toCommandError(error);
  if (refusal === null) throw error;
  return refusal;
}
