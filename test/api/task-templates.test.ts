import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CaseTasks } from '../../services/case-tasks/wire.js';
import type { TaskTemplate } from '../../services/task-templates/wire.js';
import { startTestService, type TestService } from '../support/service.js';
import type { List } from './support/http.js';
import { createOrganization, investigate } from './support/records.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

it('suggests tasks for the cases of an alert type, in any case, without those that the case has', async () => {
  const templates = '/platformapi/organizations/DEMO/task-templates';
  const { api_key: key } = await service.createKey('analyst');
  await createOrganization(service, 'OTHER');
  const { api_key: foreign } = await service.createKey('admin', 'OTHER');
  const tasks = `/platformapi/cases/${await investigate(service, await service.sendAlert({ alert_type: 'Malware on host' }))}/tasks`;
  const suggested = async () => (await service.request<CaseTasks>('GET', tasks, { key })).body.suggested;
  const save = (titles: string[]) =>
    service.request<TaskTemplate>('PUT', templates, { body: { alert_type: 'MALWARE on host', tasks: titles } });
  expect((await save(['Old'])).status).toBe(200);
  const saved = await save(['Call the owner', 'Check the backup']);
  expect((await service.request<List<TaskTemplate>>('GET', templates, { key })).body.items).toHaveLength(1);
  expect((await service.request('PUT', templates, { key, body: { alert_type: 'x', tasks: ['x'] } })).status).toBe(403);
  expect((await service.request('GET', templates, { key: foreign })).status).toBe(404);
  await service.request('POST', tasks, { key, body: { titles: ['call the OWNER'] } });
  expect(await suggested()).toEqual(['Check the backup']);
  expect((await service.request('DELETE', `${templates}/${saved.body.template_id}`)).status).toBe(204);
  expect(await suggested()).toEqual([]);
});
