import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { csvLine } from '../../api/http/csv.js';
import type { AlertListItem } from '../../domain/alert/alert.js';
import { startTestService, type TestService } from '../support/service.js';
import { type List, send } from './support/http.js';
import { createOrganization } from './support/records.js';

const CONTENT =
  'Beacon of hr-ws-014 to 203.0.113.66 and http://bad.example/a, file 44d88612fea8a8f36de82e1278abb02f, CVE-2024-3094. ```end``` # Not a heading';

let service: TestService;
let alert: AlertListItem;
beforeAll(async () => {
  service = await startTestService();
  const { alert_id } = await service.sendAlert({ alert_type: '=HYPERLINK("x")', alert_content: CONTENT });
  alert = await service.waitForStatus(alert_id, 15, 20);
});
afterAll(() => service.stop());

async function download(path: string) {
  const { api_key } = await service.createKey('analyst');
  return send(`${service.url}${path}`, { key: api_key });
}

describe('cases as CSV', () => {
  it('contain title, verdict, alert and readable times, and only the organization of the key', async () => {
    const { status, headers, text } = await download('/platformapi/cases.csv?status=open');
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toContain('cases.csv');
    const [head = '', line = ''] = text.split('\r\n');
    expect(head).toContain('title');
    expect(line).toContain(alert.case_id);
    expect(line).toContain(alert.alert_id);
    expect(line).toMatch(/inconclusive|suspicious|malicious|benign/);
    expect(line).toMatch(/20\d\d-\d\d-\d\dT[\d:.]+Z/);
    expect(line).toContain("'=HYPERLINK");
    await createOrganization(service, 'NOCASES');
    const { api_key } = await service.createKey('analyst', 'NOCASES');
    const other = await send(`${service.url}/platformapi/cases.csv`, { key: api_key });
    expect(other.text.split('\r\n')).toHaveLength(2);
    const { api_key: sender } = await service.createKey('sender');
    expect((await send(`${service.url}/platformapi/cases.csv`, { key: sender })).status).toBe(403);
  });
});

describe('alerts as CSV', () => {
  it('contain one line per matching alert, and no formula', async () => {
    await service.sendAlert({ alert_type: 'Another', alert_content: 'of "two\nlines", and more' });
    const { status, headers, text } = await download('/platformapi/alerts.csv?alert_type=another');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/csv');
    expect(headers.get('content-disposition')).toContain('alerts.csv');
    expect(text.split('\r\n')).toHaveLength(3);
    expect(text).toContain('"of ""two\nlines"", and more"');
    expect(text).toMatch(/,"?20\d\d-\d\d-\d\dT[\d:.]+Z"?,/);
    expect(text).toMatch(/,"?(?:Created|Submitted|InProgress|Completed)"?,/);
    const { text: whole } = await download('/platformapi/alerts.csv');
    expect(whole).toContain(`"'=HYPERLINK(""x"")"`);
  });

  it('contain only the organization of the key', async () => {
    await createOrganization(service, 'ELSEWHERE');
    const { api_key } = await service.createKey('analyst', 'ELSEWHERE');
    const { text } = await send(`${service.url}/platformapi/alerts.csv`, { key: api_key });
    expect(text.split('\r\n')).toHaveLength(2);
  });

  it.each(['=1+1', '+1', '-1', '@x', '\tx', '\rx', '\nx', '\n=1', ' =1', '＝1', '＋1', '－1', '＠x'])('escape %j as text', (value) => {
    expect(csvLine([value])).toContain(`'${value}`);
  });
});

it('an export writes an audit entry', async () => {
  await download('/platformapi/alerts.csv?alert_type=another');
  await download(`/platformapi/cases/${alert.case_id}/export?format=stix`);
  const find = (action: string) => service.request<List<unknown>>('GET', `/platformapi/audit?action=${action}&limit=1`);
  expect((await find('alert.export')).body.items).toMatchObject([
    { target: 'alerts.csv', details: { filters: { alert_type: 'another' } } },
  ]);
  expect((await find('case.export')).body.items).toMatchObject([
    { target: alert.case_id, organization_code: 'DEMO', details: { format: 'stix' } },
  ]);
});

describe('the export of a case', () => {
  const downloadCase = (format: string) => download(`/platformapi/cases/${alert.case_id}/export?format=${format}`);

  it('has its tasks, files and times in a readable form', async () => {
    const path = `/platformapi/cases/${alert.case_id}`;
    await service.request('POST', `${path}/tasks`, { body: { titles: ['Call the owner'] } });
    const headers = { 'content-type': 'application/octet-stream' };
    await service.request('POST', `${path}/attachments?name=mail.eml`, { body: 'x', headers });
    const { text } = await downloadCase('markdown');
    expect(text).toContain('- [ ] ` Call the owner `');
    expect(text).toMatch(/- ` mail\.eml `, 1 bytes, SHA-256 [0-9a-f]{64}, added 20\d\d-/);
    expect(JSON.parse((await downloadCase('json')).text)).toMatchObject({
      title: expect.any(String),
      alert_id: alert.alert_id,
      opened: expect.stringMatching(/^20\d\d-.*Z$/),
      closed: null,
      tasks: [{ title: 'Call the owner' }],
      attachments: [{ name: 'mail.eml' }],
      timeline: expect.arrayContaining([expect.objectContaining({ kind: 'opened', time: expect.stringMatching(/^20\d\d-.*Z$/) })]),
    });
  });

  it('as Markdown escapes the markup of the alert', async () => {
    const { status, headers, text } = await downloadCase('markdown');
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toContain(`${alert.case_id}.md`);
    expect(text).toContain(`- Case: ${alert.case_id}; verdict: inconclusive`);
    expect(text).toContain('- ip: ` 203.0.113.66 `');
    expect(text).toContain(`Opened for alert ${alert.alert_id}`);
  });

  it('as JSON contains the whole case', async () => {
    const found: unknown = JSON.parse((await downloadCase('json')).text);
    expect(found).toMatchObject({ case_id: alert.case_id, entities: expect.arrayContaining([{ kind: 'cve', value: 'CVE-2024-3094' }]) });
  });

  it('as STIX 2.1 contains only references that resolve', async () => {
    const { headers, text } = await downloadCase('stix');
    expect(headers.get('content-type')).toContain('application/stix+json');
    const Stix = z.looseObject({ type: z.string(), id: z.string().regex(/^[a-z0-9-]+--[0-9a-f-]{36}$/), spec_version: z.literal('2.1') });
    const { objects } = z.object({ type: z.literal('bundle'), id: z.string(), objects: z.array(Stix) }).parse(JSON.parse(text));
    const ids = new Set(objects.map(({ id }) => id));
    expect(ids.size).toBe(objects.length);
    const references = objects.flatMap((each) =>
      Object.entries(each).flatMap(([name, value]) =>
        name.endsWith('_ref') ? [value] : name.endsWith('_refs') ? (value as unknown[]) : [],
      ),
    );
    expect(references.length).toBeGreaterThan(5);
    for (const reference of references) expect(ids).toContain(reference);
    expect(objects.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['identity', 'report', 'incident', 'ipv4-addr', 'url', 'file', 'vulnerability', 'relationship']),
    );
    // The standard prescribes the id of this address, so that every exporter creates the same one.
    expect(objects.find(({ type }) => type === 'ipv4-addr')).toMatchObject({
      value: '203.0.113.66',
      id: 'ipv4-addr--e17823ff-cd7d-55c9-8a58-6ff3c5c23bcb',
    });
    expect((await downloadCase('stix')).text).toBe(text);
  });

  it('returns 404 for another organization', async () => {
    const { api_key } = await service.createKey('analyst', 'ELSEWHERE');
    expect(await send(`${service.url}/platformapi/cases/${alert.case_id}/export?format=json`, { key: api_key })).toMatchObject({
      status: 404,
    });
    expect(await downloadCase('pdf')).toMatchObject({ status: 422 });
  });
});
