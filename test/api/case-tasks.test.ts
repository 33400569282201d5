import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CaseDetail } from '../../domain/case/case.js';
import type { CaseTask, CaseTasks } from '../../services/case-tasks/wire.js';
import { startTestService, type TestService } from '../support/service.js';
import type { List, ProblemBody } from './support/http.js';
import { createOrganization, investigate } from './support/records.js';

let service: TestService;
let key: string;
let foreign: string;
let caseId: string;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  key = (await service.createKey('analyst', 'DEMO', { name: 'dana vries' })).api_key;
  await createOrganization(service, 'OTHER');
  foreign = (await service.createKey('admin', 'OTHER')).api_key;
});
afterAll(() => service.stop());
beforeEach(async () => {
  caseId = await investigate(service, await service.sendAlert({ alert_type: 'Malware on host' }));
});

const call = <Body>(method: string, path: string, body?: unknown, by = key) =>
  service.request<Body>(method, `/platformapi/cases/${caseId}/${path}`, { key: by, ...(body === undefined ? {} : { body }) });
const readCase = async () => (await service.request<CaseDetail>('GET', `/platformapi/cases/${caseId}`, { key })).body;
const listAudit = async (action: string) =>
  (await service.request<List<{ target: string; details: object }>>('GET', `/platformapi/audit?action=${action}`)).body.items;

describe('tasks', () => {
  it('are added, done and undone by a person at a time, renamed and deleted', async () => {
    const { status, body } = await call<CaseTasks>('POST', 'tasks', { titles: ['Call the owner', 'Check the backup'] });
    expect(status).toBe(201);
    const [task] = body.items;
    expect(task).toMatchObject({ title: 'Call the owner', created_by: 'dana vries', done_by: null, done_at: null });
    const path = `tasks/${task?.task_id}`;
    const done = await call<CaseTask>('PATCH', path, { done: true });
    expect(done.body).toMatchObject({ done_by: 'dana vries', done_at: expect.any(Number) });
    expect((await readCase()).timeline.at(-1)).toMatchObject({ kind: 'task', by: 'dana vries', text: 'Done: Call the owner' });
    expect((await call<CaseTask>('PATCH', path, { done: false, title: 'Mail the owner' })).body).toMatchObject({
      title: 'Mail the owner',
      done_by: null,
      done_at: null,
    });
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call<CaseTasks>('GET', 'tasks')).body.items.map(({ title }) => title)).toEqual(['Check the backup']);
    for (const action of ['task.create', 'task.update', 'task.delete']) expect((await listAudit(action)).length).toBeGreaterThan(0);
  });

  it('are limited, and invisible to another organization', async () => {
    const titles = Array.from({ length: 50 }, (_, n) => `Task ${n}`);
    for (let n = 0; n < 4; n += 1) expect((await call('POST', 'tasks', { titles })).status).toBe(201);
    expect(await call<ProblemBody>('POST', 'tasks', { titles: ['one more'] })).toMatchObject({ status: 409 });
    const { body } = await call<CaseTasks>('GET', 'tasks');
    const path = `tasks/${body.items[0]?.task_id}`;
    for (const [method, where, given] of [
      ['GET', 'tasks', undefined],
      ['POST', 'tasks', { titles: ['x'] }],
      ['PATCH', path, { done: true }],
      ['DELETE', path, undefined],
    ] as const)
      expect((await call(method, where, given, foreign)).status, method).toBe(404);
    expect((await call<ProblemBody>('POST', 'tasks', { titles: [' '] })).status).toBe(422);
    expect((await call<ProblemBody>('PATCH', path, {})).status).toBe(422);
  });

  it('and files stay visible after a merge', async () => {
    await call('POST', 'tasks', { titles: ['Call the owner'] });
    const into = await investigate(service, await service.sendAlert());
    await service.request('POST', `/platformapi/cases/${caseId}/merge`, { key, body: { into, reason: 'x' } });
    caseId = into;
    const { body } = await call<CaseTasks>('GET', 'tasks');
    expect(body.items.map(({ title }) => title)).toEqual(['Call the owner']);
    expect((await call('PATCH', `tasks/${body.items[0]?.task_id}`, { done: true })).status).toBe(200);
  });
});
