import { deleteTaskRow } from '../../db/cases/case-tasks.js';
import { recordAudit } from '../../db/identity/audit.js';
import { lockCase } from '../cases/require-case.js';
import { addToTimeline } from '../cases/timeline.js';
import { type Context, inTransaction } from '../context.js';
import { notFound } from '../errors.js';
import { requireNotHeld } from '../legal-holds/require-not-held.js';

const WANTED = 'task with this id';

export function deleteTask(context: Context, { caseId, taskUuid }: { caseId: string; taskUuid: string }): Promise<void> {
  return inTransaction(context, async (inside) => {
    const { db, by } = inside;
    const found = await lockCase(inside, caseId, WANTED);
    await requireNotHeld(db, found, 'this task');
    const title = await deleteTaskRow(db, found, taskUuid);
    if (title === null) throw notFound(WANTED);
    await addToTimeline(inside, found.caseUuid, { kind: 'task', by: by.name, text: `Deleted: ${title}` });
    await recordAudit(db, {
      by,
      organizationUuid: found.organizationUuid,
      action: 'task.delete',
      target: taskUuid,
      details: { case_id: caseId },
    });
  });
}
