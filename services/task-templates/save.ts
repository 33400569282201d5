import { countTemplates, insertTemplate, updateTemplateRow } from '../../db/cases/task-templates.js';
import { recordAudit } from '../../db/identity/audit.js';
import { newUuid } from '../../db/ids.js';
import { MAX_TASK_TEMPLATES } from '../../domain/case/limits.js';
import { type Context, inTransaction } from '../context.js';
import { conflict } from '../errors.js';
import type { SaveTaskTemplate, TaskTemplate } from './wire.js';

/** Replaces the template of the alert type, or adds one. */
export function saveTemplate(context: Context, organizationUuid: string, given: SaveTaskTemplate): Promise<TaskTemplate> {
  return inTransaction(context, async ({ db, by, now }) => {
    const isFull = (await countTemplates(db, organizationUuid)) >= MAX_TASK_TEMPLATES;
    const fields = { alertType: given.alert_type, tasks: given.tasks, changedBy: by.name, changedByUuid: by.userUuid, changedAt: now() };
    const changed = await updateTemplateRow(db, organizationUuid, fields);
    if (changed === null && isFull) throw conflict(`An organization has at most ${MAX_TASK_TEMPLATES} templates. Delete one first.`);
    const saved = changed ?? (await insertTemplate(db, { templateUuid: newUuid(), organizationUuid, ...fields }));
    await recordAudit(db, {
      by,
      organizationUuid,
      action: 'task-template.save',
      target: saved.template_id,
      details: { alert_type: given.alert_type },
    });
    return saved;
  });
}
