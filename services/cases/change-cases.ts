import type { Context } from '../context.js';
import { requireRefusal } from '../errors.js';
import { investigateCase } from './investigate.js';
import { mergeCase } from './merge.js';
import { unmergeCase } from './unmerge.js';
import { updateCase } from './update.js';
import type { CaseChange, CaseChangeResult } from './wire.js';

const UNDO_MERGE = { reason: 'The merge of several cases was undone.' };

/** Each change has its own transaction. A refusal is its result, so that the others continue. */
export async function changeCases(context: Context, changes: readonly CaseChange[]): Promise<CaseChangeResult[]> {
  const results: CaseChangeResult[] = [];
  for (const change of changes) results.push(await changeOneCase(context, change));
  return results;
}

async function changeOneCase(context: Context, change: CaseChange): Promise<CaseChangeResult> {
  const { case_id, update, merge, unmerge } = change;
  try {
    const undo = update === undefined ? null : await updateCase(context, case_id, update);
    if (merge !== undefined) await mergeCase(context, case_id, merge);
    if (unmerge !== undefined) await unmergeCase(context, case_id, unmerge);
    if (change.investigate) await investigateCase(context, case_id);
    return { case_id, is_changed: true, problem: null, undo, unmerge: merge === undefined ? null : UNDO_MERGE };
  } catch (error) {
    return { case_id, is_changed: false, problem: requireRefusal(error).message, undo: null, unmerge: null };
  }
}
