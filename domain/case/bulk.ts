import { z } from 'zod';
import { storable } from '../text.js';
import { MergeCase, UnmergeCase, UpdateCase } from './case.js';
import { UndoUpdate } from './undo.js';

const CHANGES_AT_MOST = 200;

const CaseChange = z
  .strictObject({
    case_id: storable(100),
    update: UpdateCase.optional(),
    merge: MergeCase.optional(),
    unmerge: UnmergeCase.optional().describe('Undoes the merge of the case.'),
    investigate: z.literal(true).optional().describe('Investigates all alerts of the case again.'),
  })
  .refine(
    ({ update, merge, unmerge, investigate }) => [update, merge, unmerge, investigate].filter((given) => given !== undefined).length === 1,
    'send exactly one of update, merge, unmerge and investigate',
  );
export type CaseChange = z.infer<typeof CaseChange>;

export const ChangeCases = z.strictObject({ changes: z.array(CaseChange).min(1).max(CHANGES_AT_MOST) });

export const CaseChangeResult = z.object({
  case_id: z.string(),
  is_changed: z.boolean(),
  problem: z.string().nullable().describe('The reason why the case is not changed, and the remedy.'),
  undo: UndoUpdate.nullable().describe('The `update` that restores the earlier values. null: the change was no update.'),
  unmerge: z.object(UnmergeCase.shape).nullable().describe('The `unmerge` that undoes a merge. null: the change was no merge.'),
});
export type CaseChangeResult = z.infer<typeof CaseChangeResult>;
