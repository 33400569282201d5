import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AlertListItem } from '../../domain/alert/alert.js';
import { changeAlertTexts } from '../support/rows.js';
import { type SeededAlert, seedAlerts, seedCases } from '../support/seeded-lists.js';
import { startTestService, type TestService } from '../support/service.js';
import { type List, readAllPages, send } from './support/http.js';
import { createOrganization, investigate } from './support/records.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const NOW = Math.floor(Date.now() / 1000);
const DAY = 86_400;

describe('a page', () => {
  beforeAll(async () => {
    await createOrganization(service, 'PAGES');
    await seedAlerts(
      service,
      Array.from({ length: 25 }, (_, index) => ({
        organization: 'PAGES',
        provider: 'siem',
        type: 'Paged',
        content: 'page',
        status: 15,
        createdAt: NOW - 1_000 + index,
      })),
    );
    await seedCases(service, 'PAGES', 25, {});
  });

  it.each(['alerts', 'cases', 'playbooks', 'organizations', 'providers', 'api-keys', 'audit'])(
    'of %s holds items and a cursor, respects the limit, and repeats no item',
    async (name) => {
      for (let count = 0; count < 3; count += 1) await service.createKey('sender');
      const path = `/platformapi/${name}`;
      const all = await service.request<List<unknown>>('GET', `${path}?limit=200`);
      expect(Object.keys(all.body)).toEqual(['items', 'next_cursor']);
      expect(all.body.next_cursor).toBeNull();
      const one = await service.request<List<unknown>>('GET', `${path}?limit=1`);
      expect(one.body.items).toEqual(all.body.items.slice(0, 1));
      for (const limit of [1, 3, all.body.items.length]) {
        if (limit > 0) expect(await readAllPages(service, path, { limit })).toEqual(all.body.items);
      }
    },
  );

  it('holds 50 items by default', async () => {
    await createOrganization(service, 'MANY');
    await seedAlerts(
      service,
      Array.from({ length: 60 }, () => ({
        organization: 'MANY',
        provider: 'siem',
        type: 'Many',
        content: 'x',
        status: 15,
        createdAt: NOW - 5_000,
      })),
    );
    const { body } = await service.request<List<unknown>>('GET', '/platformapi/alerts?organization_code=MANY');
    expect(body.items).toHaveLength(50);
    expect(body.next_cursor).toEqual(expect.any(String));
  });

  it('of large alerts ends early, and the cursor continues', async () => {
    await createOrganization(service, 'LARGE');
    const large = 'large '.repeat(170_000);
    const sent = await seedAlerts(
      service,
      Array.from({ length: 20 }, (_, index) => ({
        organization: 'LARGE',
        provider: 'siem',
        type: 'Large',
        content: large,
        status: 15,
        createdAt: NOW - 7_000 + index,
      })),
    );
    const path = '/platformapi/alerts?organization_code=LARGE';
    const first = await service.request<List<AlertListItem>>('GET', `${path}&limit=200`);
    expect(JSON.stringify(first.body).length).toBeLessThan(9 * 1024 * 1024);
    expect(first.body.items.length).toBeGreaterThan(1);
    const walked = await readAllPages<AlertListItem>(service, path, { limit: 200 });
    expect(walked.map((alert) => alert.alert_id)).toEqual(sent.toReversed());
    const { text } = await send(`${service.url}/platformapi/alerts.csv?organization_code=LARGE`, { key: service.adminKey });
    expect(text.split('\r\n')).toHaveLength(sent.length + 2);
  });

  it('has no cursor when it is full and last', async () => {
    const { body } = await service.request<List<unknown>>('GET', '/platformapi/alerts?organization_code=PAGES&limit=25');
    expect(body.items).toHaveLength(25);
    expect(body.next_cursor).toBeNull();
  });

  it('of alerts starts with the newest, and paging returns each existing alert once while others arrive', async () => {
    const path = '/platformapi/alerts?organization_code=PAGES';
    const there = await readAllPages<AlertListItem>(service, path, { limit: 200 });
    expect(there.map((alert) => alert.created_at)).toEqual(there.map((alert) => alert.created_at).toSorted((a, b) => b - a));
    let arriving = 0;
    const walked = await readAllPages<AlertListItem>(service, path, {
      limit: 4,
      betweenPages: async () => {
        arriving += 1;
        await service.sendAlert({ organization_code: 'PAGES', alert_type: 'Arriving' });
      },
    });
    expect(arriving).toBeGreaterThan(5);
    expect(walked).toEqual(there);
  });

  it('has items with the thirteen fields and the columns of the Alerts page', async () => {
    const { body } = await service.request<List<AlertListItem>>('GET', '/platformapi/alerts?organization_code=PAGES&text=page&limit=1');
    expect(body.items[0]).toMatchObject({
      organization_code: 'PAGES',
      alert_provider: 'siem',
      case_id: expect.stringMatching(/^PAGES-CASE-/),
      playbook: null,
      completed_at: null,
    });
    expect(Object.keys(body.items[0] ?? {})).toHaveLength(18);
  });

  it('has the verdict and the severity of the case, which a sender does not see', async () => {
    const { api_key: key } = await service.createKey('sender');
    const sent = await service.request<AlertListItem>('POST', '/platformapi/alerts', {
      key,
      body: { organization_code: 'DEMO', alert_provider: 'siem', alert_type: 'Seen by both', alert_content: 'x' },
    });
    await investigate(service, sent.body);
    const read = async (as: { key?: string }) => [
      (await service.request<List<AlertListItem>>('GET', '/platformapi/alerts?limit=1', as)).body.items[0],
      (await service.request<AlertListItem>('GET', `/platformapi/alerts/${sent.body.alert_id}`, as)).body,
    ];
    const { alert_id } = sent.body;
    for (const alert of await read({})) expect(alert).toMatchObject({ alert_id, verdict: 'malicious', severity: 'high' });
    for (const alert of await read({ key })) expect(alert).toMatchObject({ alert_id, verdict: null, severity: null });
  });
});

describe('a filter for alerts', () => {
  const seeded: SeededAlert[] = [
    {
      organization: 'FILTER',
      provider: 'siem',
      type: 'Impossible travel',
      content: 'dana signed in from Lisbon, then from Osaka',
      status: 0,
      createdAt: NOW - 5 * DAY,
    },
    {
      organization: 'FILTER',
      provider: 'firewall',
      type: 'IMPOSSIBLE   Travel',
      content: 'robin signed in from Osaka',
      status: 15,
      createdAt: NOW - 4 * DAY,
    },
    {
      organization: 'FILTER',
      provider: 'siem',
      type: 'Malware',
      content: 'file "invoice.pdf.exe" on HOST-7, hash d41d8cd98f00b204e9800998ecf8427e',
      status: 15,
      createdAt: NOW - 3 * DAY,
    },
    {
      organization: 'FILTER',
      provider: 'siem',
      type: 'Malware',
      content: 'signed driver in an odd place',
      status: 20,
      createdAt: NOW - 2 * DAY,
    },
    { organization: 'FILTER-2', provider: 'siem', type: 'Malware', content: 'Osaka again', status: 15, createdAt: NOW - DAY },
  ];
  let ids: string[];

  beforeAll(async () => {
    for (const code of ['FILTER', 'FILTER-2']) await createOrganization(service, code);
    ids = await seedAlerts(service, seeded);
  });

  const only = (index: number) => seeded[index] ?? expect.fail('no such alert');
  it.each<[string, () => Record<string, string>, number[]]>([
    ['status', () => ({ status: '15', organization_code: 'FILTER' }), [2, 1]],
    ['status 0', () => ({ status: '0', organization_code: 'FILTER' }), [0]],
    ['organization_code', () => ({ organization_code: 'FILTER-2' }), [4]],
    ['organization_code, case-sensitive', () => ({ organization_code: 'filter' }), []],
    ['provider', () => ({ provider: 'firewall', organization_code: 'FILTER' }), [1]],
    ['an unknown provider', () => ({ provider: 'nothing' }), []],
    ['alert_type, ignoring case and spaces', () => ({ alert_type: '  impossible TRAVEL ', organization_code: 'FILTER' }), [1, 0]],
    ['created_from, inclusive', () => ({ created_from: String(only(2).createdAt), organization_code: 'FILTER' }), [3, 2]],
    ['created_before, exclusive', () => ({ created_before: String(only(2).createdAt), organization_code: 'FILTER' }), [1, 0]],
    [
      'a span of time',
      () => ({ created_from: String(only(1).createdAt), created_before: String(only(3).createdAt), organization_code: 'FILTER' }),
      [2, 1],
    ],
    ['a time beyond all times', () => ({ created_before: '999999999999999', organization_code: 'FILTER-2' }), [4]],
    ['all words of the content', () => ({ text: 'osaka SIGNED', organization_code: 'FILTER' }), [1, 0]],
    ['words of type and content', () => ({ text: 'malware driver' }), [3]],
    ['a phrase', () => ({ text: '"from Osaka"', organization_code: 'FILTER' }), [1, 0]],
    ['a phrase whose words are not adjacent', () => ({ text: '"Osaka Lisbon"', organization_code: 'FILTER' }), []],
    ['a word to leave out', () => ({ text: 'signed -osaka', organization_code: 'FILTER' }), [3]],
    ['a hash', () => ({ text: 'd41d8cd98f00b204e9800998ecf8427e' }), [2]],
    ['its id', () => ({ text: ids[3] ?? '' }), [3]],
    ['text that is all signs', () => ({ text: ":*&|!'()", organization_code: 'FILTER' }), []],
    ['several at once', () => ({ status: '15', alert_type: 'malware', provider: 'siem', text: 'invoice.pdf.exe' }), [2]],
  ])('by %s', async (_, query, expected) => {
    const found = await readAllPages<AlertListItem>(service, `/platformapi/alerts?${new URLSearchParams(query())}`, { limit: 1 });
    expect(found.map((alert) => alert.alert_id)).toEqual(expected.map((index) => ids[index]));
  });

  it('by text finds an alert as soon as its case is open', async () => {
    const alert = await service.sendAlert({ alert_content: 'quokka at the gate' });
    await investigate(service, alert, { concluded: false });
    expect(await readAllPages(service, '/platformapi/alerts?text=quokka', { limit: 5 })).toMatchObject([{ alert_id: alert.alert_id }]);
  });

  it('by text does not reveal whether another organization has an alert with that id', async () => {
    await createOrganization(service, 'ELSEWHERE');
    const hidden = await service.sendAlert({ organization_code: 'ELSEWHERE' });
    const alert = await service.sendAlert({ alert_content: `compare ${hidden.alert_id} and ELSEWHERE-SIEM-99` });
    await investigate(service, alert, { concluded: false });
    const { api_key: key } = await service.createKey('analyst', 'DEMO');
    for (const text of [hidden.alert_id, 'ELSEWHERE-SIEM-99'])
      expect(await readAllPages(service, `/platformapi/alerts?text=${text}`, { limit: 5, key })).toMatchObject([
        { alert_id: alert.alert_id },
      ]);
  });
});

describe('a search', () => {
  beforeAll(async () => {
    await createOrganization(service, 'WORDS');
    const content = JSON.stringify({
      device: 'hr-ws-014.harbour.example',
      user: 'HARBOUR\\dana.vries',
      text: 'It burrowed under the fence: CVE-2024-3400, 不審なファイル',
      sha: '44d88612fea8a8f36de82e1278abb02f',
      from: '203.0.113.66:443',
    });
    await seedAlerts(service, [
      { organization: 'WORDS', provider: 'siem', type: 'Wombatware', content, status: 15, createdAt: NOW - 3_000 },
    ]);
    await seedCases(service, 'WORDS', 1, {});
  });

  it.each([
    ['a host name', 'hr-ws-014'],
    ['a host name in upper case', 'HR-WS-014'],
    ['the beginning of a host name', 'hr-ws-0'],
    ['a full host name', 'hr-ws-014.harbour.example'],
    ['an account', 'dana.vries'],
    ['a part of an account', 'vries'],
    ['the beginning of a word', 'Wombatwar'],
    ['a vulnerability', 'CVE-2024-3400'],
    ['the beginning of a hash', '44d88612fea8'],
    ['an address', '203.0.113.66'],
    ['a phrase', '"burrowed under the fence"'],
    ['Japanese', '不審なファイル'],
    ['two terms in any order', 'fence dana.vries'],
  ])('finds %s', async (_, text) => {
    const query = new URLSearchParams({ text, organization_code: 'WORDS' });
    expect(await readAllPages(service, `/platformapi/alerts?${query}`, { limit: 5 })).toMatchObject([{ alert_type: 'Wombatware' }]);
    expect(await readAllPages(service, `/platformapi/cases?${query}`, { limit: 5 })).toMatchObject([{ organization_code: 'WORDS' }]);
  });

  it.each([
    ['an excluded word', 'Wombatware -fence'],
    ['an excluded host', 'Wombatware -hr-ws-014'],
    ['another order in a phrase', '"fence the under"'],
    ['the beginning of a word in a phrase', '"burrowed under the fen"'],
    ['another host', 'hr-ws-015'],
    ['punctuation only', "':*|!"],
  ])('finds nothing for %s', async (_, text) => {
    const query = new URLSearchParams({ text, organization_code: 'WORDS' });
    expect(await readAllPages(service, `/platformapi/alerts?${query}`, { limit: 5 })).toEqual([]);
  });

  it('finds alerts from before words were split at punctuation', async () => {
    const alert = await service.sendAlert({ alert_content: 'numbat at the gate' });
    await investigate(service, alert, { concluded: false });
    await changeAlertTexts(service, { alertUuid: alert.alert_uuid }, { words: sql`to_tsvector('simple', 'numbat at the gate')` });
    expect(await readAllPages(service, '/platformapi/alerts?text=numbat', { limit: 5 })).toMatchObject([{ alert_id: alert.alert_id }]);
  });
});
