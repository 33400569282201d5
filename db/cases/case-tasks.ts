import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { type CaseTask, type CaseTasks, type ChangeTask, TASKS_AT_MOST } from '../../domain/case/task.js';
import type { Principal } from '../../domain/identity/identity.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { recordAudit } from '../identity/audit.js';
import { newUuid } from '../ids.js';
import { addToTimeline } from '../investigations/lifecycle.js';
import { alerts, caseAlerts, caseTasks, taskTemplates } from '../schema/index.js';
import { type FoundCase, findCaseUuid, lockCase, withMerged } from './case-scope.js';

const columns = {
  task_id: caseTasks.taskUuid,
  title: caseTasks.title,
  created_by: caseTasks.createdBy,
  created_at: caseTasks.createdAt,
  done_by: caseTasks.doneBy,
  done_at: caseTasks.doneAt,
};

/** null where the key cannot see the case. */
export async function listTasks(db: Db, by: Principal, caseId: string): Promise<CaseTasks | null> {
  const found = await findCaseUuid(db, by, caseId);
  return found && readTasks(db, found);
}

async function readTasks(db: Db | Transaction, { caseUuid, organizationUuid }: FoundCase): Promise<CaseTasks> {
  const items = await db
    .select(columns)
    .from(caseTasks)
    .where(inArray(caseTasks.caseUuid, withMerged(caseUuid)))
    .orderBy(asc(caseTasks.taskUuid))
    .limit(TASKS_AT_MOST);
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

/** `full`: the case has the maximum. null where the key cannot see the case. */
export async function addTasks(db: Db, by: Principal, caseId: string, titles: readonly string[]): Promise<CaseTasks | 'full' | null> {
  return db.transaction(async (transaction) => {
    const found = await lockCase(transaction, by, caseId);
    if (!found) return null;
    const present = await transaction.$count(caseTasks, inArray(caseTasks.caseUuid, withMerged(found.caseUuid)));
    if (present + titles.length > TASKS_AT_MOST) return 'full';
    const createdAt = nowSeconds();
    const rows = titles.map((title) => ({ taskUuid: newUuid(), caseUuid: found.caseUuid, title, createdBy: by.name, createdAt }));
    await transaction.insert(caseTasks).values(rows);
    const text = `Added: ${titles.join('; ')}`;
    await addToTimeline(transaction, found.caseUuid, { kind: 'task', by: by.name, text });
    await audit(transaction, by, found, 'task.create', caseId, { tasks: rows.map(({ taskUuid }) => taskUuid) });
    return readTasks(transaction, found);
  });
}

/** null where the case has no such task. */
export async function changeTask(
  db: Db,
  by: Principal,
  { caseId, taskUuid }: { caseId: string; taskUuid: string },
  { title, done }: ChangeTask,
): Promise<CaseTask | null> {
  return db.transaction(async (transaction) => {
    const found = await lockCase(transaction, by, caseId);
    if (!found) return null;
    const [before] = await transaction.select().from(caseTasks).where(isTask(found, taskUuid));
    if (!before) return null;
    const isChanged = done !== undefined && done !== (before.doneAt !== null);
    const [task] = await transaction
      .update(caseTasks)
      .set({
        taskUuid,
        ...(title === undefined ? {} : { title }),
        ...(isChanged ? { doneBy: done ? by.name : null, doneAt: done ? nowSeconds() : null } : {}),
      })
      .where(isTask(found, taskUuid))
      .returning(columns);
    if (isChanged) {
      const text = `${done ? 'Done' : 'Not done'}: ${title ?? before.title}`;
      await addToTimeline(transaction, found.caseUuid, { kind: 'task', by: by.name, text });
    }
    await audit(transaction, by, found, 'task.update', taskUuid, { case_id: caseId, ...(done === undefined ? {} : { done }) });
    return task ?? null;
  });
}

export async function deleteTask(db: Db, by: Principal, { caseId, taskUuid }: { caseId: string; taskUuid: string }): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const found = await lockCase(transaction, by, caseId);
    if (!found) return false;
    const [gone] = await transaction.delete(caseTasks).where(isTask(found, taskUuid)).returning({ title: caseTasks.title });
    if (!gone) return false;
    await addToTimeline(transaction, found.caseUuid, { kind: 'task', by: by.name, text: `Deleted: ${gone.title}` });
    await audit(transaction, by, found, 'task.delete', taskUuid, { case_id: caseId });
    return true;
  });
}

function isTask({ caseUuid }: FoundCase, taskUuid: string) {
  return and(eq(caseTasks.taskUuid, taskUuid), inArray(caseTasks.caseUuid, withMerged(caseUuid)));
}

async function audit(
  transaction: Transaction,
  by: Principal,
  { organizationUuid }: FoundCase,
  action: string,
  target: string,
  details: Record<string, unknown>,
): Promise<void> {
  await recordAudit(transaction, { by, organizationUuid, action, target, details });
}
