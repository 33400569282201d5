import { deleteTemplateRow } from '../../db/cases/task-templates.js';
import { recordAudit } from '../../db/identity/audit.js';
import { type Context, inTransaction } from '../context.js';
import { notFound } from '../errors.js';

export function deleteTemplate(context: Context, organizationUuid: string, templateUuid: string): Promise<void> {
  return inTransaction(context, async ({ db, by }) => {
    const alertType = await deleteTemplateRow(db, organizationUuid, templateUuid);
    if (alertType === null) throw notFound('template with this id');
    await recordAudit(db, {
      by,
      organizationUuid,
      action: 'task-template.delete',
      target: templateUuid,
      details: { alert_type: alertType },
    });
  });
}
