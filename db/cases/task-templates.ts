import { and, asc, eq, sql } from 'drizzle-orm';
import { MAX_TASK_TEMPLATES } from '../../domain/case/limits.js';
import type { Db, Transaction } from '../client.js';
import { currentName } from '../identity/people.js';
import { organizations, taskTemplates } from '../schema/index.js';

const columns = {
  template_id: taskTemplates.templateUuid,
  alert_type: taskTemplates.alertType,
  tasks: taskTemplates.tasks,
  changed_by: currentName(taskTemplates.changedByUuid, taskTemplates.changedBy),
  changed_at: taskTemplates.changedAt,
};

export async function listTemplates(db: Db, organizationUuid: string) {
  return db
    .select(columns)
    .from(taskTemplates)
    .where(eq(taskTemplates.organizationUuid, organizationUuid))
    .orderBy(asc(sql`lower(${taskTemplates.alertType})`))
    .limit(MAX_TASK_TEMPLATES);
}
type TemplateRow = Awaited<ReturnType<typeof listTemplates>>[number];

/** Concurrent additions wait, so that the count holds until the end of the transaction. */
export async function countTemplates(transaction: Transaction, organizationUuid: string): Promise<number> {
  await transaction.select().from(organizations).where(eq(organizations.organizationUuid, organizationUuid)).for('update');
  return transaction.$count(taskTemplates, eq(taskTemplates.organizationUuid, organizationUuid));
}

type Fields = Pick<typeof taskTemplates.$inferInsert, 'alertType' | 'tasks' | 'changedBy' | 'changedByUuid' | 'changedAt'>;

/** null where the alert type has no template. Upper and lower case do not matter. */
export async function updateTemplateRow(transaction: Transaction, organizationUuid: string, fields: Fields): Promise<TemplateRow | null> {
  const isType = eq(sql`lower(${taskTemplates.alertType})`, fields.alertType.toLowerCase());
  const [changed] = await transaction
    .update(taskTemplates)
    .set(fields)
    .where(and(eq(taskTemplates.organizationUuid, organizationUuid), isType))
    .returning(columns);
  return changed ?? null;
}

export async function insertTemplate(transaction: Transaction, row: typeof taskTemplates.$inferInsert): Promise<TemplateRow> {
  const [saved] = await transaction.insert(taskTemplates).values(row).returning(columns);
  if (!saved) throw new Error('The template was not found in the transaction that inserted it.');
  return saved;
}

/** Returns the alert type; null where the organization has no such template. */
export async function deleteTemplateRow(transaction: Transaction, organizationUuid: string, templateUuid: string): Promise<string | null> {
  const [deleted] = await transaction
    .delete(taskTemplates)
    .where(and(eq(taskTemplates.templateUuid, templateUuid), eq(taskTemplates.organizationUuid, organizationUuid)))
    .returning({ alertType: taskTemplates.alertType });
  return deleted?.alertType ?? null;
}
