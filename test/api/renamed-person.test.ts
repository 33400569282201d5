import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CaseDetail, CaseSummary } from '../../domain/case/case.js';
import type { Attachment } from '../../services/attachments/wire.js';
import type { CaseTask, CaseTasks } from '../../services/case-tasks/wire.js';
import type { CaseChangeResult } from '../../services/cases/wire.js';
import type { InboxEntry, Rule } from '../../services/notifications/wire.js';
import { startTestService, type TestService, waitFor } from '../support/service.js';
import type { List } from './support/http.js';
import { investigate } from './support/records.js';

let service: TestService;
let caseId: string;
let dana: Awaited<ReturnType<TestService['createPerson']>>;
let count = 0;
const OTHER_NAME = 'Ines Okafor';

beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());
beforeEach(async () => {
  count += 1;
  dana = await service.createPerson('analyst', 'DEMO', `Dana Vries ${count}`);
  caseId = await investigate(service, await service.sendAlert());
  await service.request('PATCH', `/platformapi/cases/${caseId}`, { key: dana.api_key, body: { assignee: dana.name, comment: 'Mine.' } });
});

const rename = async ({ user_uuid: userUuid } = dana, name = `Dana Jansen ${count}`) => {
  await service.database.pg`update users set name = ${name} where user_uuid = ${userUuid}`;
  return name;
};
const readCase = async () => (await service.request<CaseDetail>('GET', `/platformapi/cases/${caseId}`)).body;
const listAssigned = async (name: string) => {
  const query = new URLSearchParams({ assignee: name });
  return (await service.request<List<CaseSummary>>('GET', `/platformapi/cases?${query}`)).body.items.map((item) => item.case_id);
};

describe('a renamed user', () => {
  it('stays the assignee, under the new name', async () => {
    expect(await listAssigned(dana.name)).toEqual([caseId]);
    const name = await rename();
    expect((await readCase()).assignee).toBe(name);
    expect(await listAssigned(name)).toEqual([caseId]);
    expect(await listAssigned(dana.name)).toEqual([]);
  });

  it('does not leave the cases to a new user with the old name', async () => {
    await rename();
    await rename(await service.createPerson('analyst'), dana.name);
    expect(await listAssigned(dana.name)).toEqual([]);
  });

  it('gets the case back when another assignment is undone', async () => {
    const name = await rename();
    const other = await service.createPerson('analyst');
    const { body } = await service.request<{ results: CaseChangeResult[] }>('POST', '/platformapi/cases/bulk', {
      body: { changes: [{ case_id: caseId, update: { assignee: other.name } }] },
    });
    expect(body.results[0]?.undo).toEqual({ assignee: name });
  });

  it('is the author of timeline entries, tasks and files, and of found comments', async () => {
    const path = `/platformapi/cases/${caseId}`;
    const by = { key: dana.api_key };
    const { body: added } = await service.request<CaseTasks>('POST', `${path}/tasks`, { ...by, body: { titles: ['Call the owner'] } });
    const task = `${path}/tasks/${added.items[0]?.task_id}`;
    await service.request<CaseTask>('PATCH', task, { ...by, body: { done: true } });
    await fetch(`${service.url}${path}/attachments?name=note.txt`, {
      method: 'POST',
      headers: { cookie: `Session=${dana.api_key}`, 'content-type': 'application/octet-stream' },
      body: 'a note',
    });
    const name = await rename();
    const tasks = await service.request<CaseTasks>('GET', `${path}/tasks`);
    expect(tasks.body.items).toMatchObject([{ created_by: name, done_by: name }]);
    const files = await service.request<List<Attachment>>('GET', `${path}/attachments`);
    expect(files.body.items).toMatchObject([{ added_by: name }]);
    const authors = (await readCase()).timeline.flatMap((entry) => (entry.by === null ? [] : [entry.by]));
    expect(authors).toEqual(authors.map(() => name));
    expect(authors.length).toBeGreaterThanOrEqual(4);
  });

  it('still gets events of the case, and rules for the person still match', async () => {
    const ines = await service.createPerson('analyst', 'DEMO', `${OTHER_NAME} ${count}`);
    const channel = { organization_code: 'DEMO', kind: 'webhook', name: `hook ${count}`, settings: { url: 'https://hook.example/x' } };
    const { body: created } = await service.request<{ channel_id: string }>('POST', '/platformapi/notification-channels', {
      body: channel,
    });
    const rule = { organization_code: 'DEMO', name: `mine ${count}`, channel_id: created.channel_id, events: ['case.commented'] };
    const { body: saved } = await service.request<Rule>('POST', '/platformapi/notification-rules', {
      body: { ...rule, assignee: dana.name },
    });
    const name = await rename();
    await service.request('PATCH', `/platformapi/cases/${caseId}`, { key: ines.api_key, body: { comment: 'Any news?' } });
    const entries = await waitFor('the entry in the inbox', async () => {
      const { body } = await service.request<List<InboxEntry>>('GET', '/platformapi/inbox', { key: dana.api_key });
      return body.items.length === 1 ? body.items : null;
    });
    expect(entries).toMatchObject([{ event: 'case.commented' }]);
    const rules = await service.request<List<Rule>>('GET', '/platformapi/notification-rules');
    expect(rules.body.items.find(({ rule_id: id }) => id === saved.rule_id)?.assignee).toBe(name);
    const [delivery] = await service.database.pg`
      select from notification_deliveries where channel_uuid = ${created.channel_id}`;
    expect(delivery).toBeDefined();
  });
});

describe('a key of a service', () => {
  it('keeps its name', async () => {
    const name = `automation ${count}`;
    const { api_key: key } = await service.createKey('analyst', 'DEMO', { name });
    await service.request('PATCH', `/platformapi/cases/${caseId}`, { key, body: { assignee: name, comment: 'Automated.' } });
    expect(await listAssigned(name)).toEqual([caseId]);
    expect(await readCase()).toMatchObject({ assignee: name, timeline: expect.arrayContaining([expect.objectContaining({ by: name })]) });
  });
});
