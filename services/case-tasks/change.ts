import { findTask, updateTaskRow } from '../../db/cases/case-tasks.js';
import { recordAudit } from '../../db/identity/audit.js';
import { lockCase } from '../cases/require-case.js';
import { addToTimeline } from '../cases/timeline.js';
import { type Context, inTransaction } from '../context.js';
import { notFound } from '../errors.js';
import type { CaseTask, ChangeTask } from './wire.js';

const WANTED = 'task with this id';

export function changeTask(
  context: Context,
  { caseId, taskUuid }: { caseId: string; taskUuid: string },
  { title, done }: ChangeTask,
): Promise<CaseTask> {
  return inTransaction(context, async (inside) => {
    const { db, by, now } = inside;
    const found = await lockCase(inside, caseId, WANTED);
    const before = await findTask(db, found, taskUuid);
    if (before === null) throw notFound(WANTED);
    const isChanged = done !== undefined && done !== (before.done_at !== null);
    const task = await updateTaskRow(db, found, taskUuid, {
      ...(title === undefined ? {} : { title }),
      ...(isChanged && done ? { doneBy: by.name, doneByUuid: by.userUuid, doneAt: now() } : {}),
      ...(isChanged && !done ? { doneBy: null, doneByUuid: null, doneAt: null } : {}),
    });
    if (isChanged) {
      const text = `${done ? 'Done' : 'Not done'}: ${task.title}`;
      await addToTimeline(inside, found.caseUuid, { kind: 'task', by: by.name, text });
    }
    await recordAudit(db, {
      by,
      organizationUuid: found.organizationUuid,
      action: 'task.update',
      target: taskUuid,
      details: { case_id: caseId, ...(done === undefined ? {} : { done }) },
    });
    return task;
  });
}
