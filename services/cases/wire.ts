import { z } from 'zod';
import { CaseStatus, ClassificationSchema } from '../../domain/case/case.js';
import { CASE_TITLE_LENGTH } from '../../domain/case/case-title.js';
import { Tags } from '../../domain/case/tags.js';
import { storable, text } from '../../domain/text.js';
import { Verdict } from '../../domain/verdict/evidence.js';

export const UpdateCase = z
  .strictObject({
    title: text(CASE_TITLE_LENGTH),
    status: CaseStatus,
    classification: ClassificationSchema.describe(
      'Closes the case and sets the analyst verdict. A false or benign positive also withdraws the proposed writes that are not sent yet.',
    ),
    assignee: text(200).nullable().describe('The name of an active key of an analyst or an admin, of the organization or of its provider.'),
    comment: text(10_000),
    analyst_verdict: z
      .strictObject({ verdict: Verdict, reason: text(4000) })
      .nullable()
      .describe('null removes it.'),
    tags: Tags.describe('Replaces all tags. The service stores them in lower case.'),
    add_tags: Tags.describe('Adds tags and keeps the others.'),
  })
  .partial()
  .refine(
    (update) => Object.keys(update).length > 0,
    'name at least one of title, status, classification, assignee, comment, analyst_verdict, tags, add_tags',
  )
  .refine(({ tags, add_tags: added }) => tags === undefined || added === undefined, {
    error: 'leave it out, because tags replaces all tags',
    path: ['add_tags'],
  })
  .refine(({ classification, status }) => classification === undefined || status === undefined || status === 'closed', {
    error: 'must be closed, because a classification closes the case',
    path: ['status'],
  })
  .refine(({ classification, analyst_verdict: verdict }) => classification === undefined || verdict === undefined, {
    error: 'leave it out, because the classification sets it',
    path: ['analyst_verdict'],
  });
export type UpdateCase = z.infer<typeof UpdateCase>;

export const MergeCase = z.strictObject({ into: storable(100).describe('The case that takes its alerts.'), reason: text(1000) });
export type MergeCase = z.infer<typeof MergeCase>;
export const UnmergeCase = z.strictObject({ reason: text(1000) });
export type UnmergeCase = z.infer<typeof UnmergeCase>;

/** An update that restores the values of a case from before another update. */
export const UndoUpdate = z
  .object({
    status: CaseStatus,
    classification: ClassificationSchema,
    assignee: z.string().nullable(),
    tags: z.array(z.string()),
    analyst_verdict: z.object({ verdict: Verdict, reason: z.string() }).nullable(),
  })
  .partial();
export type UndoUpdate = z.infer<typeof UndoUpdate>;

const MAX_CHANGES = 200;

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

export const ChangeCases = z.strictObject({ changes: z.array(CaseChange).min(1).max(MAX_CHANGES) });

export const CaseChangeResult = z.object({
  case_id: z.string(),
  is_changed: z.boolean(),
  problem: z.string().nullable().describe('The reason why the case is not changed, and the remedy.'),
  undo: UndoUpdate.nullable().describe('The `update` that restores the earlier values. null: the change was no update.'),
  unmerge: z.object(UnmergeCase.shape).nullable().describe('The `unmerge` that undoes a merge. null: the change was no merge.'),
});
export type CaseChangeResult = z.infer<typeof CaseChangeResult>;

export const CaseVisit = z.object({
  last_visit_at: z
    .int()
    .nullable()
    .describe(
      'The end of the previous visit of this API key: its last use of the list before a pause of 30 minutes. null: this is the first.',
    ),
});
export type CaseVisit = z.infer<typeof CaseVisit>;

const Count = z.object({ value: z.string(), count: z.int() });
export const CaseCounts = z.object({
  status: z.array(Count),
  severity: z.array(Count),
  verdict: z.array(Count),
  is_complete: z.boolean().describe('false: one status has more cases than the service counts, so only its newest cases are counted.'),
});
export type CaseCounts = z.infer<typeof CaseCounts>;
