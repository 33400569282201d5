import { and, asc, eq, sql } from 'drizzle-orm';
import { type SaveTaskTemplate, type TaskTemplate, TEMPLATES_AT_MOST } from '../../domain/case/task.js';
import type { Principal } from '../../domain/identity/identity.js';
import type { Db } from '../client.js';
import { nowSeconds } from '../columns.js';
import { recordAudit } from '../identity/audit.js';
import { newUuid } from '../ids.js';
import { organizations, taskTemplates } from '../schema/index.js';

const columns = {
  template_id: taskTemplates.templateUuid,
  alert_type: taskTemplates.alertType,
  tasks: taskTemplates.tasks,
  changed_by: taskTemplates.changedBy,
  changed_at: taskTemplates.changedAt,
};

export async function listTemplates(db: Db, organizationUuid: string): Promise<TaskTemplate[]> {
  return db
    .select(columns)
    .from(taskTemplates)
    .where(eq(taskTemplates.organizationUuid, organizationUuid))
    .orderBy(asc(sql`lower(${taskTemplates.alertType})`))
    .limit(TEMPLATES_AT_MOST);
}

/** Replaces the template of the alert type, or adds one. `full`: the organization has the maximum. */
export async function saveTemplate(
  db: Db,
  by: Principal,
  organizationUuid: string,
  given: SaveTaskTemplate,
): Promise<TaskTemplate | 'full'> {
  return db.transaction(async (transaction) => {
    // Concurrent additions wait, so that the count holds.
    await transaction.select().from(organizations).where(eq(organizations.organizationUuid, organizationUuid)).for('update');
    const isType = and(
      eq(taskTemplates.organizationUuid, organizationUuid),
      eq(sql`lower(${taskTemplates.alertType})`, given.alert_type.toLowerCase()),
    );
    const fields = { alertType: given.alert_type, tasks: given.tasks, changedBy: by.name, changedAt: nowSeconds() };
    const [changed] = await transaction.update(taskTemplates).set(fields).where(isType).returning(columns);
    if (!changed && (await transaction.$count(taskTemplates, eq(taskTemplates.organizationUuid, organizationUuid))) >= TEMPLATES_AT_MOST)
      return 'full';
    const [saved] = changed
      ? [changed]
      : await transaction
          .insert(taskTemplates)
          .values({ templateUuid: newUuid(), organizationUuid, ...fields })
          .returning(columns);
    if (!saved) throw new Error('The template was not found in the transaction that saved it.');
    await recordAudit(transaction, {
      by,
      organizationUuid,
      action: 'task-template.save',
      target: saved.template_id,
      details: { alert_type: given.alert_type },
    });
    return saved;
  });
}

export async function deleteTemplate(db: Db, by: Principal, organizationUuid: string, templateUuid: string): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const [gone] = await transaction
      .delete(taskTemplates)
      .where(and(eq(taskTemplates.templateUuid, templateUuid), eq(taskTemplates.organizationUuid, organizationUuid)))
      .returning({ alertType: taskTemplates.alertType });
    if (!gone) return false;
    const details = { alert_type: gone.alertType };
    await recordAudit(transaction, { by, organizationUuid, action: 'task-template.delete', target: templateUuid, details });
    return true;
  });
}
