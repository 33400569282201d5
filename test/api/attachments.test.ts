import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CaseDetail } from '../../domain/case/case.js';
import { MAX_ATTACHMENT_BYTES } from '../../domain/case/limits.js';
import type { Attachment } from '../../services/attachments/wire.js';
import type { CaseTasks } from '../../services/case-tasks/wire.js';
import { storeAttachments } from '../support/rows.js';
import { startTestService, type TestService, waitFor } from '../support/service.js';
import { announce, type List, type ProblemBody } from './support/http.js';
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

const CONNECTION = {
  connector: 'threat-intelligence',
  instance_name: 'Intelligence',
  settings: { api_host: 'https://intelligence.example' },
  credentials: { api_key: 'key' },
};

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

  it('and tasks stay while the case, a case merged into it, or the organization has a legal hold', async () => {
    const added = (await (await upload('x.txt', 'x')).json()) as Attachment;
    const task = await call<CaseTasks>('POST', 'tasks', { titles: ['Call Dana'] });
    expect(task.status).toBe(201);
    const merged = await investigate(service, await service.sendAlert({ alert_type: 'Malware on host' }));
    const connection = await service.request<{ connection_id: string }>('POST', '/platformapi/connections', {
      body: { organization_code: 'DEMO', ...CONNECTION },
    });
    expect(connection.status).toBe(201);
    const removeConnection = () => service.request('DELETE', `/platformapi/connections/${connection.body.connection_id}`);
    const remove = async () => [
      (await call('DELETE', `attachments/${added.attachment_id}`)).status,
      (await call('DELETE', `tasks/${task.body.items[0]?.task_id}`)).status,
    ];
    const hold = (path: string) => service.request('POST', `/platformapi/${path}/legal-hold`, { body: { reason: 'A trial.' } });
    const release = (path: string) => service.request('POST', `/platformapi/${path}/legal-hold/release`, { body: { reason: 'It ended.' } });

    expect((await hold(`cases/${caseId}`)).status).toBeLessThan(300);
    const refused = await call('DELETE', `attachments/${added.attachment_id}`);
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('legal hold') } });
    expect(await remove()).toEqual([409, 409]);
    await release(`cases/${caseId}`);

    await hold(`cases/${merged}`);
    const done = await service.request('POST', `/platformapi/cases/${merged}/merge`, { body: { into: caseId, reason: 'The same.' } });
    expect(done.status).toBeLessThan(300);
    expect(await remove()).toEqual([409, 409]);
    await release(`cases/${merged}`);

    await hold('organizations/DEMO');
    expect(await remove()).toEqual([409, 409]);
    expect((await removeConnection()).status).toBe(409);
    await release('organizations/DEMO');
    expect(await remove()).toEqual([204, 204]);
    expect((await removeConnection()).status).toBe(204);
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
    await storeAttachments(service, caseId, Array(49).fill(1));
    expect((await upload('last', 'x')).status).toBe(201);
    expect((await upload('one more', 'x')).status).toBe(409);
    caseId = await investigate(service, await service.sendAlert());
    await storeAttachments(service, caseId, [100 * 1024 * 1024]);
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

  it('are limited in number while the API reads them, and have a place again after the others', async () => {
    const headers = { cookie: `Session=${key}`, 'content-type': 'application/octet-stream' };
    const url = `${service.url}/platformapi/cases/${caseId}/attachments?name=large.bin`;
    const announced = Array.from({ length: 3 }, () => announce(url, headers, MAX_ATTACHMENT_BYTES));
    expect(await Promise.race(announced.map(({ refused }) => refused))).toEqual({ status: 429, retryAfter: '1' });
    for (const { leave } of announced) leave();
    await waitFor('a place', async () => (await upload('large.bin', Buffer.alloc(MAX_ATTACHMENT_BYTES))).status === 201);
  });
});
