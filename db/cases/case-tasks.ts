import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { MAX_TASKS } from '../../domain/case/limits.js';
import type { Db, Transaction } from '../client.js';
import { currentName } from '../identity/people.js';
import { alerts, caseAlerts, caseTasks, taskTemplates } from '../schema/index.js';
import { type FoundCase, withMerged } from './case-scope.js';

const columns = {
  task_id: caseTasks.taskUuid,
  title: caseTasks.title,
  created_by: currentName(caseTasks.createdByUuid, caseTasks.createdBy),
  created_at: caseTasks.createdAt,
  done_by: currentName(caseTasks.doneByUuid, caseTasks.doneBy),
  done_at: caseTasks.doneAt,
};

/** With the tasks of its templates that the case does not have yet. */
export async function listTasks(db: Db | Transaction, { caseUuid, organizationUuid }: FoundCase) {
  const items = await db
    .select(columns)
    .from(caseTasks)
    .where(inArray(caseTasks.caseUuid, withMerged(caseUuid)))
    .orderBy(asc(caseTasks.taskUuid))
    .limit(MAX_TASKS);
  const templates = await db
    .selectDistinct({ tasks: taskTemplates.tasks })
    .from(caseAlerts)
    .innerJoin(alerts, eq(alerts.alertUuid, caseAlerts.alertUuid))
    .innerJoin(
      taskTemplates,
      and(
        eq(taskTemplates.organizationUuid, organizationUuid),
        eq(sql`lower(${taskTemplates.alertType})`, sql`lower(${alerts.alertType})`),
      ),
    )
    .where(eq(caseAlerts.caseUuid, caseUuid));
  const present = new Set(items.map(({ title }) => title.toLowerCase()));
  const suggested = [...new Set(templates.flatMap(({ tasks }) => tasks))].filter((title) => !present.has(title.toLowerCase()));
  return { items, suggested };
}

export function countTasks(transaction: Transaction, { caseUuid }: FoundCase): Promise<number> {
  return transaction.$count(caseTasks, inArray(caseTasks.caseUuid, withMerged(caseUuid)));
}

export async function insertTasks(transaction: Transaction, rows: readonly (typeof caseTasks.$inferInsert)[]): Promise<void> {
  await transaction.insert(caseTasks).values([...rows]);
}

export async function findTask(transaction: Transaction, found: FoundCase, taskUuid: string) {
  const [task] = await transaction.select(columns).from(caseTasks).where(isTask(found, taskUuid));
  return task ?? null;
}
type TaskRow = NonNullable<Awaited<ReturnType<typeof findTask>>>;

export async function updateTaskRow(
  transaction: Transaction,
  found: FoundCase,
  taskUuid: string,
  changes: Partial<Pick<typeof caseTasks.$inferInsert, 'title' | 'doneBy' | 'doneByUuid' | 'doneAt'>>,
): Promise<TaskRow> {
  const [task] = await transaction
    .update(caseTasks)
    .set({ taskUuid, ...changes })
    .where(isTask(found, taskUuid))
    .returning(columns);
  if (!task) throw new Error('The task was not found in the transaction that changed it.');
  return task;
}

/** Returns the title; null where the case has no such task. */
export async function deleteTaskRow(transaction: Transaction, found: FoundCase, taskUuid: string): Promise<string | null> {
  const [deleted] = await transaction.delete(caseTasks).where(isTask(found, taskUuid)).returning({ title: caseTasks.title });
  return deleted?.title ?? null;
}

function isTask({ caseUuid }: FoundCase, taskUuid: string) {
  return and(eq(caseTasks.taskUuid, taskUuid), inArray(caseTasks.caseUuid, withMerged(caseUuid)));
}
