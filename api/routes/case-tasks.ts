import { z } from 'zod';
import { listTasks } from '../../db/cases/case-tasks.js';
import { storable } from '../../domain/text.js';
import { addTasks } from '../../services/case-tasks/add.js';
import { changeTask } from '../../services/case-tasks/change.js';
import { deleteTask } from '../../services/case-tasks/delete.js';
import { AddTasks, CaseTask, CaseTasks, ChangeTask } from '../../services/case-tasks/wire.js';
import { requireCase } from '../../services/cases/require-case.js';
import { problems } from '../http/openapi.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['cases'];
const CasePath = z.object({ case_id: storable(100) });
const TaskPath = CasePath.extend({ task_id: z.uuid() });
const LIST = '/platformapi/cases/:case_id/tasks';
const access = ['analyst', 'admin'] as const;

/** What people still have to do for a case. */
export function caseTaskRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  app.get(
    LIST,
    {
      config: { access },
      schema: {
        operationId: 'getCaseTaskListAPI',
        tags,
        summary: 'List the tasks of a case, and those that its templates suggest',
        params: CasePath,
        response: { 200: CaseTasks, ...problems(404) },
      },
    },
    async ({ params, principal }) => listTasks(db, await requireCase(db, principal, params.case_id)),
  );

  app.post(
    LIST,
    {
      config: { access, changes: ['cases'] },
      schema: {
        operationId: 'createCaseTasksAPI',
        tags,
        summary: 'Add tasks to a case',
        params: CasePath,
        body: AddTasks.meta({ examples: [{ titles: ['Call the owner of the machine'] }] }),
        response: { 201: CaseTasks, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, body, context }, reply) => reply.status(201).send(await addTasks(context, params.case_id, body)),
  );

  app.patch(
    `${LIST}/:task_id`,
    {
      config: { access, changes: ['cases'] },
      schema: {
        operationId: 'updateCaseTaskAPI',
        tags,
        summary: 'Mark a task as done or not done, or rename it',
        params: TaskPath,
        body: ChangeTask.meta({ examples: [{ done: true }] }),
        response: { 200: CaseTask, ...problems(404, 413, 415) },
      },
    },
    async ({ params, body, context }) => changeTask(context, { caseId: params.case_id, taskUuid: params.task_id }, body),
  );

  app.delete(
    `${LIST}/:task_id`,
    {
      config: { access, changes: ['cases'] },
      schema: {
        operationId: 'deleteCaseTaskAPI',
        tags,
        summary: 'Delete a task',
        params: TaskPath,
        response: { 204: z.null(), ...problems(404, 409) },
      },
    },
    async ({ params, context }, reply) => {
      await deleteTask(context, { caseId: params.case_id, taskUuid: params.task_id });
      return reply.status(204).send(null);
    },
  );
}
