import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CaseDetail } from '../../domain/case/case.js';
import type { Attachment } from '../../services/attachments/wire.js';
import type { CaseTask, CaseTasks } from '../../services/case-tasks/wire.js';
import type { TaskTemplate } from '../../services/task-templates/wire.js';
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

  it('come from the template of the alert type, in any case, without those that the case has', async () => {
    const templates = '/platformapi/organizations/DEMO/task-templates';
    const save = (tasks: string[]) => service.request<TaskTemplate>('PUT', templates, { body: { alert_type: 'MALWARE on host', tasks } });
    expect((await save(['Old'])).status).toBe(200);
    const saved = await save(['Call the owner', 'Check the backup']);
    expect((await service.request<List<TaskTemplate>>('GET', templates, { key })).body.items).toHaveLength(1);
    expect((await service.request('PUT', templates, { key, body: { alert_type: 'x', tasks: ['x'] } })).status).toBe(403);
    expect((await service.request('GET', templates, { key: foreign })).status).toBe(404);
    await call('POST', 'tasks', { titles: ['call the OWNER'] });
    expect((await call<CaseTasks>('GET', 'tasks')).body.suggested).toEqual(['Check the backup']);
    expect((await service.request('DELETE', `${templates}/${saved.body.template_id}`)).status).toBe(204);
    expect((await call<CaseTasks>('GET', 'tasks')).body.suggested).toEqual([]);
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

describe('attachments', () => {
  const PAGE = '<script>alert(1)</script>\u0000\u00ff';
  const upload = (name: string, body: string | Buffer, by = key, type = 'application/octet-stream') =>
    fetch(`${service.url}/platformapi/cases/${caseId}/attachments?name=${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: { cookie: `Session=${by}`, 'content-type': type },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });
  const download = (id: string, by = key) =>
    fetch(`${service.url}/platformapi/cases/${caseId}/attachments/${id}`, { headers: { cookie: `Session=${by}` } });

  it('are stored with their hash and only downloaded, never shown', async () => {
    const content = Buffer.from(PAGE, 'latin1');
    const reply = await upload('bericht "1".html'.replaceAll('"', ''), content);
    expect(reply.status).toBe(201);
    const added = (await reply.json()) as Attachment;
    const sha256 = createHash('sha256').update(content).digest('hex');
    expect(added).toMatchObject({ name: 'bericht 1.html', size: content.length, sha256, added_by: 'dana vries' });
    const file = await download(added.attachment_id);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(content);
    expect(file.headers.get('content-type')).toBe('application/octet-stream');
    expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="bericht 1.html"; filename*=UTF-8''bericht%201.html`);
    expect(file.headers.get('content-security-policy')).toContain('sandbox');
    expect((await call<List<Attachment>>('GET', 'attachments')).body.items).toEqual([added]);
    expect((await readCase()).timeline.at(-1)).toMatchObject({ kind: 'attachment', text: expect.stringContaining(sha256) });
    expect((await call('DELETE', `attachments/${added.attachment_id}`)).status).toBe(204);
    expect((await download(added.attachment_id)).status).toBe(404);
    for (const action of ['attachment.create', 'attachment.download', 'attachment.delete'])
      expect(await listAudit(action)).toMatchObject([{ target: added.attachment_id, details: { sha256 } }]);
  });

  it('refuse names with a path, other content types, empty and too large files', async () => {
    for (const name of ['', '../x', 'a\\b', 'a/b', 'a"b', 'a\nb', '..', 'x'.repeat(201)])
      expect((await upload(name, 'x')).status, JSON.stringify(name)).toBe(422);
    expect((await upload('x', '')).status).toBe(422);
    expect((await upload('x', '{}', key, 'application/json')).status).toBe(415);
    expect((await upload('x', 'x', key, 'text/html')).status).toBe(415);
    const refused = await upload('x', Buffer.alloc(10 * 1024 * 1024 + 1));
    expect(refused.status).toBe(413);
    expect(((await refused.json()) as ProblemBody).detail).toContain('10 MiB');
    expect((await call<List<Attachment>>('GET', 'attachments')).body.items).toEqual([]);
  });

  it('are limited for each case', async () => {
    await service.database.pg`
      insert into case_attachments (attachment_uuid, case_uuid, name, size, sha256, added_by, added_at, content)
      select uuidv7(), case_uuid, 'x', 1, 'x', 'x', now(), '\\x00' from cases, generate_series(1, 49) where case_id = ${caseId}`;
    expect((await upload('last', 'x')).status).toBe(201);
    expect((await upload('one more', 'x')).status).toBe(409);
    await service.database.pg`delete from case_attachments`;
    await service.database.pg`
      insert into case_attachments (attachment_uuid, case_uuid, name, size, sha256, added_by, added_at, content)
      select uuidv7(), case_uuid, 'x', 100 * 1024 * 1024, 'x', 'x', now(), '\\x00' from cases where case_id = ${caseId}`;
    expect((await upload('one more', 'x')).status).toBe(409);
  });

  it('are invisible to another organization and to senders', async () => {
    const { attachment_id: id } = (await (await upload('x', 'x')).json()) as Attachment;
    expect((await download(id, foreign)).status).toBe(404);
    expect((await upload('x', 'x', foreign)).status).toBe(404);
    expect((await call('GET', 'attachments', undefined, foreign)).status).toBe(404);
    expect((await call('DELETE', `attachments/${id}`, undefined, foreign)).status).toBe(404);
    const { api_key: sender } = await service.createKey('sender');
    expect((await download(id, sender)).status).toBe(403);
    expect((await upload('x', 'x', sender)).status).toBe(403);
    expect((await fetch(`${service.url}/platformapi/cases/${caseId}/attachments/${id}`)).status).toBe(401);
  });
});

describe('mentions', () => {
  it('are stored for the people of the organization whom a comment names', async () => {
    await service.createKey('analyst', 'DEMO', { name: 'robin' });
    await service.createKey('analyst', 'OTHER', { name: 'nia' });
    const comment = 'Please look, @Dana Vries and @robin. Not @nia, not robin@robin.example.';
    await service.request('PATCH', `/platformapi/cases/${caseId}`, { key, body: { comment } });
    expect((await readCase()).timeline.at(-1)).toMatchObject({ kind: 'comment', text: comment, mentions: ['dana vries', 'robin'] });
    await service.request('PATCH', `/platformapi/cases/${caseId}`, { key, body: { comment: 'See robin@robin.example' } });
    expect((await readCase()).timeline.at(-1)).toMatchObject({ kind: 'comment', mentions: [] });
  });
});
