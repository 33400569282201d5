import { z } from 'zod';
import { MAX_TASKS_AT_ONCE } from '../../domain/case/limits.js';
import { storable } from '../../domain/text.js';
import { TaskTitle } from '../case-tasks/wire.js';

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
  tasks: z.array(TaskTitle).min(1).max(MAX_TASKS_AT_ONCE),
});
export type SaveTaskTemplate = z.infer<typeof SaveTaskTemplate>;
