import { z } from 'zod';
import { storable, text } from '../text.js';

export const TASKS_AT_MOST = 200;
export const TEMPLATES_AT_MOST = 500;
const TASKS_AT_ONCE = 50;
const TaskTitle = text(200);

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

export const AddTasks = z.strictObject({ titles: z.array(TaskTitle).min(1).max(TASKS_AT_ONCE) });

export const ChangeTask = z
  .strictObject({ title: TaskTitle, done: z.boolean() })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'name at least one of title, done');
export type ChangeTask = z.infer<typeof ChangeTask>;

export const TaskTemplate = z.object({
  template_id: z.uuid(),
  alert_type: z.string(),
  tasks: z.array(z.string()),
  changed_by: z.string(),
  changed_at: z.int(),
});
export type TaskTemplate = z.infer<typeof TaskTemplate>;

export const SaveTaskTemplate = z.strictObject({
  alert_type: storable(256).min(1).describe('Upper and lower case do not matter.'),
  tasks: z.array(TaskTitle).min(1).max(TASKS_AT_ONCE),
});
export type SaveTaskTemplate = z.infer<typeof SaveTaskTemplate>;
