import { z } from 'zod';
import { MAX_TASKS_AT_ONCE } from '../../domain/case/limits.js';
import { text } from '../../domain/text.js';

export const TaskTitle = text(200);

/** What a person still has to do for a case. */
export const CaseTask = z.object({
  task_id: z.uuid(),
  title: z.string(),
  created_by: z.string(),
  created_at: z.int(),
  done_by: z.string().nullable().describe('null: not done.'),
  done_at: z.int().nullable(),
});
export type CaseTask = z.infer<typeof CaseTask>;

export const CaseTasks = z.object({
  items: z.array(CaseTask).describe('Oldest first; at most 200.'),
  suggested: z.array(z.string()).describe('Tasks of the templates for the alert types of the case that the case does not have yet.'),
});
export type CaseTasks = z.infer<typeof CaseTasks>;

export const AddTasks = z.strictObject({ titles: z.array(TaskTitle).min(1).max(MAX_TASKS_AT_ONCE) });
export type AddTasks = z.infer<typeof AddTasks>;

export const ChangeTask = z
  .strictObject({ title: TaskTitle, done: z.boolean() })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'name at least one of title, done');
export type ChangeTask = z.infer<typeof ChangeTask>;
