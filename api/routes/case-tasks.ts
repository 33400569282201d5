import { z } from 'zod';
import { addTasks, changeTask, deleteTask, listTasks } from '../../db/cases/case-tasks.js';
import { AddTasks, CaseTask, CaseTasks, ChangeTask, TASKS_AT_MOST } from '../../domain/case/task.js';
import { storable } from '../../domain/text.js';
import { conflict, notFound } from '../../services/errors.js';
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
    async ({ params, principal }) => {
      const tasks = await listTasks(db, principal, params.case_id);
      if (!tasks) throw notFound('case with this id');
      return tasks;
    },
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
    async ({ params, body, principal }, reply) => {
      const tasks = await addTasks(db, principal, params.case_id, body.titles);
      if (tasks === null) throw notFound('case with this id');
      if (tasks === 'full') throw conflict(`A case has at most ${TASKS_AT_MOST} tasks. Delete one first.`);
      return reply.status(201).send(tasks);
    },
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
    async ({ params, body, principal }) => {
      const task = await changeTask(db, principal, { caseId: params.case_id, taskUuid: params.task_id }, body);
      if (!task) throw notFound('task with this id');
      return task;
    },
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
        response: { 204: z.null(), ...problems(404) },
      },
    },
    async ({ params, principal }, reply) => {
      const isDeleted = await deleteTask(db, principal, { caseId: params.case_id, taskUuid: params.task_id });
      if (!isDeleted) throw notFound('task with this id');
      return reply.status(204).send(null);
    },
  );
}
