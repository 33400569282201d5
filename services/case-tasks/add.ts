import { countTasks, insertTasks, listTasks } from '../../db/cases/case-tasks.js';
import { recordAudit } from '../../db/identity/audit.js';
import { newUuid } from '../../db/ids.js';
import { MAX_TASKS } from '../../domain/case/limits.js';
import { lockCase } from '../cases/require-case.js';
import { addToTimeline } from '../cases/timeline.js';
import { type Context, inTransaction } from '../context.js';
import { conflict } from '../errors.js';
import type { AddTasks, CaseTasks } from './wire.js';

export function addTasks(context: Context, caseId: string, { titles }: AddTasks): Promise<CaseTasks> {
  return inTransaction(context, async (inside) => {
    const { db, by, now } = inside;
    const found = await lockCase(inside, caseId);
    if ((await countTasks(db, found)) + titles.length > MAX_TASKS)
      throw conflict(`A case has at most ${MAX_TASKS} tasks. Delete one first.`);
    const created = { caseUuid: found.caseUuid, createdBy: by.name, createdByUuid: by.userUuid, createdAt: now() };
    const rows = titles.map((title) => ({ taskUuid: newUuid(), title, ...created }));
    await insertTasks(db, rows);
    await addToTimeline(inside, found.caseUuid, { kind: 'task', by: by.name, text: `Added: ${titles.join('; ')}` });
    await recordAudit(db, {
      by,
      organizationUuid: found.organizationUuid,
      action: 'task.create',
      target: caseId,
      details: { tasks: rows.map(({ taskUuid }) => taskUuid) },
    });
    return listTasks(db, found);
  });
}
