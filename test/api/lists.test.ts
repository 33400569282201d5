import { drizzle } from 'drizzle-orm/postgres-js';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AlertFilters, type AlertScope, listAlerts } from '../../db/alerts/alerts.js';
import { COUNTED_PER_STATUS, countCases } from '../../db/cases/case-counts.js';
import type { CaseFilters } from '../../db/cases/case-filters.js';
import { listCases } from '../../db/cases/cases.js';
import type { Db } from '../../db/client.js';
import type { Page, PageRequest } from '../../db/page.js';
import { type AlertListItem, alertTypeKey } from '../../domain/alert/alert.js';
import type { AlertSort } from '../../domain/alert/alert-sort.js';
import type { CaseSummary } from '../../domain/case/case.js';
import type { CaseSort } from '../../domain/case/case-sort.js';
import { startTestService, type TestService } from '../support/service.js';
import { type List, readAllPages, send } from './support/http.js';
import { createOrganization, investigate } from './support/records.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

interface SeededAlert {
  readonly organization: string;
  readonly provider: string;
  readonly type: string;
  readonly content: string;
  readonly status: number;
  readonly createdAt: number;
  readonly createdBy?: string;
}

/** Stores alerts of an old installation, oldest first. None of them waits for Temporal. */
async function seedAlerts(seeded: readonly SeededAlert[]): Promise<string[]> {
  const { pg } = service.database;
  const rows = await pg<{ alert_id: string }[]>`
    with given as (
      select * from unnest(
        ${seeded.map(({ createdAt }) => v7({ msecs: createdAt * 1000 }))}::uuid[], ${seeded.map((each) => each.organization)}::text[],
        ${seeded.map((each) => each.provider)}::text[], ${seeded.map((each) => each.type)}::text[], ${seeded.map((each) => alertTypeKey(each.type))}::text[],
        ${seeded.map((each) => each.content)}::text[], ${seeded.map((each) => each.status)}::int[], ${seeded.map((each) => each.createdAt)}::float8[],
        ${seeded.map((each) => each.createdBy ?? '01a1dd78-72e9-7236-aeab-ed7c2436108c')}::uuid[]
      ) with ordinality as given (alert_uuid, organization_code, provider, alert_type, alert_type_key, alert_content, status, created_at, created_by, place)
    ), texts as (
      insert into alert_texts (alert_uuid, words, block_no)
      select alert_uuid, alert_words(alert_type, alert_content), search_block(alert_uuid) from given
    )
    insert into alerts (alert_uuid, alert_id, organization_uuid, provider_uuid, alert_type, alert_type_key, alert_content, created_by,
      created_at, modified_at, investigation_status, dispatched_no)
    select alert_uuid, organization_code || '-SEED-' || place, organization_uuid, provider_uuid, alert_type, alert_type_key, alert_content, created_by,
      to_timestamp(given.created_at), to_timestamp(given.created_at), status, 1
    from given join organizations using (organization_code) join providers on providers.name = given.provider order by place
    returning alert_id`;
  return rows.map((row) => row.alert_id);
}

/** Stores a case for each of the newest alerts of an organization. */
async function seedCases(
  organization: string,
  count: number,
  columns: { status?: string; severity?: string; verdict?: string; assignee?: string },
): Promise<void> {
  const { pg } = service.database;
  const { status = 'open', severity = 'low', verdict = 'inconclusive', assignee = null } = columns;
  await pg`
    with chosen as (
      select alert_uuid, organization_uuid, organization_code from alerts join organizations using (organization_uuid)
      where organization_code = ${organization} and alert_uuid not in (select alert_uuid from case_alerts) order by alert_uuid limit ${count}
    ), opened as (
      insert into cases (case_uuid, case_id, organization_uuid, alert_uuid, status, severity, verdict, assignee, opened_at, modified_at)
      select alert_uuid, organization_code || '-CASE-' || alert_uuid, organization_uuid, alert_uuid, ${status}, ${severity}, ${verdict}, ${assignee}, now(), now()
      from chosen returning case_uuid, alert_uuid
    )
    insert into case_alerts (alert_uuid, case_uuid) select alert_uuid, case_uuid from opened`;
}

const NOW = Math.floor(Date.now() / 1000);
const DAY = 86_400;

describe('a page', () => {
  beforeAll(async () => {
    await createOrganization(service, 'PAGES');
    await seedAlerts(
      Array.from({ length: 25 }, (_, index) => ({
        organization: 'PAGES',
        provider: 'siem',
        type: 'Paged',
        content: 'page',
        status: 15,
        createdAt: NOW - 1_000 + index,
      })),
    );
    await seedCases('PAGES', 25, {});
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
    ids = await seedAlerts(seeded);
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
    await seedAlerts([{ organization: 'WORDS', provider: 'siem', type: 'Wombatware', content, status: 15, createdAt: NOW - 3_000 }]);
    await seedCases('WORDS', 1, {});
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
    await service.database
      .pg`update alert_texts set words = to_tsvector('simple', 'numbat at the gate') where alert_uuid = ${alert.alert_uuid}`;
    expect(await readAllPages(service, '/platformapi/alerts?text=numbat', { limit: 5 })).toMatchObject([{ alert_id: alert.alert_id }]);
  });
});

describe('a filter for cases', () => {
  beforeAll(async () => {
    await createOrganization(service, 'CASES');
    await seedAlerts(
      Array.from({ length: 4 }, () => ({
        organization: 'CASES',
        provider: 'siem',
        type: 'Case',
        content: 'x',
        status: 15,
        createdAt: NOW - 3_000,
      })),
    );
    await seedCases('CASES', 1, { status: 'open', severity: 'high', verdict: 'malicious', assignee: 'dana' });
    await seedCases('CASES', 1, { status: 'in_progress', severity: 'low', verdict: 'benign', assignee: 'robin' });
    await seedCases('CASES', 2, { status: 'closed', severity: 'high', verdict: 'benign', assignee: 'dana' });
  });

  it.each([
    [{ status: 'closed' }, 2],
    [{ status: 'in_progress' }, 1],
    [{ severity: 'high' }, 3],
    [{ severity: 'critical' }, 0],
    [{ verdict: 'malicious' }, 1],
    [{ verdict: 'benign' }, 3],
    [{ assignee: 'dana' }, 3],
    [{ assignee: 'Dana' }, 0],
    [{ status: 'closed', severity: 'high', verdict: 'benign', assignee: 'dana' }, 2],
    [{}, 4],
  ])('by %j', async (filter: Record<string, string>, count) => {
    const query = new URLSearchParams({ ...filter, organization_code: 'CASES' });
    const found = await readAllPages<CaseSummary>(service, `/platformapi/cases?${query}`, { limit: 1 });
    expect(found).toHaveLength(count);
    for (const each of found) expect(each).toMatchObject({ ...filter, organization_code: 'CASES' });
  });

  it('by an unknown organization returns nothing', async () => {
    expect((await service.request('GET', '/platformapi/cases?organization_code=NOWHERE')).body).toEqual({ items: [], next_cursor: null });
  });
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: PlanNode[];
}

/** The nodes of the query plans that the database executed for a page. */
async function explain<Item>(list: (db: Db) => Promise<Page<Item>>): Promise<PlanNode[]> {
  const { pg } = service.database;
  const queries: { query: string; params: unknown[] }[] = [];
  const db = drizzle(pg, { casing: 'snake_case', logger: { logQuery: (query, params) => void queries.push({ query, params }) } });
  await list(db);
  const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
  const nodes: PlanNode[] = [];
  for (const { query, params } of queries.filter((each) => each.query.includes('order by'))) {
    const [row] = await pg.unsafe<{ 'QUERY PLAN': { Plan: PlanNode }[] }[]>(`explain (analyze, format json) ${query}`, params as string[]);
    nodes.push(...(row?.['QUERY PLAN'].flatMap(({ Plan }) => flatten(Plan)) ?? []));
  }
  return nodes;
}

/** The maximum number of rows that a page of 50 may read. The planner may skip a few rows or sort a small set. */
const READ_AT_MOST = 500;

function expectIndexed(nodes: readonly PlanNode[], table: 'alerts' | 'cases'): void {
  const reads = nodes.filter((node) => node['Relation Name'] === table);
  expect(reads.length).toBeGreaterThan(0);
  for (const node of reads) {
    expect(node['Node Type']).not.toBe('Seq Scan');
    const read = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
    expect(read, JSON.stringify(node)).toBeLessThanOrEqual(READ_AT_MOST);
  }
}

describe('with 20,000 alerts and cases', () => {
  const RARE = { organization: 'BIG-RARE', provider: 'custom', type: 'Rare type', status: 20 };
  let organizations: Record<string, string>;
  let rareCreator: string;
  let middle: string;

  beforeAll(async () => {
    for (const code of ['BIG', 'BIG-OTHER', 'BIG-RARE']) await createOrganization(service, code);
    rareCreator = (await service.createKey('sender', 'BIG')).key_uuid;
    const providers = ['siem', 'firewall', 'email-security'];
    const rareEvery = 2_000;
    const seeded = Array.from({ length: 20_000 }, (_, index): SeededAlert => {
      const isRare = index % rareEvery === 7;
      return {
        organization: isRare ? RARE.organization : index % 2 === 0 ? 'BIG' : 'BIG-OTHER',
        provider: index % rareEvery === 8 ? RARE.provider : (providers[index % providers.length] ?? 'siem'),
        type: index % rareEvery === 9 ? RARE.type : `Type ${index % 5}`,
        content: `common words about user-${index}${index % rareEvery === 10 ? ' platypus' : ''}`,
        status: index % rareEvery === 11 ? RARE.status : 15,
        createdAt: NOW - 40 * DAY + index * 100,
        ...(index % rareEvery === 12 ? { createdBy: rareCreator } : {}),
      };
    });
    await seedAlerts(seeded);
    for (const code of ['BIG-RARE', 'BIG', 'BIG-OTHER']) {
      await seedCases(code, 5, { status: 'in_progress', severity: 'critical', verdict: 'malicious', assignee: 'dana' });
      await seedCases(code, 20_000, {});
    }
    const { pg } = service.database;
    await pg`update cases set analyst_verdict = 'benign' where verdict = 'malicious'`;
    await pg`update alerts set completed_at = created_at where alert_id like 'BIG%'`;
    await pg`update cases set modified_at = now() - interval '9 days' where verdict <> 'malicious'`;
    await pg`insert into case_tags (case_uuid, tag) select case_uuid, 'rare' from cases where verdict = 'malicious'`;
    await pg`vacuum (analyze)`;
    const rows = await pg<
      { organization_code: string; organization_uuid: string }[]
    >`select organization_code, organization_uuid from organizations`;
    organizations = Object.fromEntries(rows.map((row) => [row.organization_code, row.organization_uuid]));
    const [row] = await pg<{ alert_uuid: string }[]>`select alert_uuid from alerts order by alert_uuid offset 10000 limit 1`;
    middle = row?.alert_uuid ?? '';
  });

  const everything = () => ({ organizationUuid: null, createdBy: null });
  const analyst = (code: string) => () => ({ organizationUuid: organizations[code] ?? '', createdBy: null });
  const first = (): PageRequest => ({ limit: 50, after: null });
  const deep = (): PageRequest => ({ limit: 50, after: middle });

  it.each<[string, () => AlertScope, AlertFilters, () => PageRequest]>([
    ['the first page', everything, {}, first],
    ['a page in the middle', everything, {}, deep],
    ['an analyst’s first page', analyst('BIG'), {}, first],
    ['an analyst’s page in the middle', analyst('BIG'), {}, deep],
    ['an analyst of a small organization', analyst('BIG-RARE'), {}, first],
    ['a sender’s first page', () => ({ organizationUuid: organizations['BIG'] ?? '', createdBy: rareCreator }), {}, first],
    ['a common status', everything, { status: 15 }, first],
    ['a rare status', everything, { status: 20 }, first],
    ['a rare status in an organization', analyst('BIG-OTHER'), { status: 20 }, first],
    ['a status without alerts', everything, { status: 10 }, first],
    ['an organization', everything, { organizationCode: 'BIG' }, deep],
    ['a small organization', everything, { organizationCode: 'BIG-RARE' }, first],
    ['a common provider', everything, { provider: 'siem' }, deep],
    ['a rare provider', everything, { provider: 'custom' }, first],
    ['a provider without alerts', everything, { provider: 'cloud-security' }, first],
    ['a common type', everything, { alertType: 'type 3' }, deep],
    ['a rare type', everything, { alertType: 'RARE  type' }, first],
    ['a time range', everything, { createdFrom: NOW - 30 * DAY, createdBefore: NOW - 29 * DAY }, first],
    ['a time before the first alert', everything, { createdBefore: NOW - 1_000 * DAY }, first],
  ])('reads at most the allowed rows of alerts for %s', async (_, scope, filters, page) => {
    expectIndexed(await explain((db) => listAlerts(db, scope(), filters, page())), 'alerts');
  });

  it.each<[string, AlertSort, () => AlertScope, AlertFilters]>([
    ['oldest first', 'created_at', everything, {}],
    ['by completion', '-completed_at', everything, {}],
    ['by completion, oldest first', 'completed_at', everything, {}],
    ['by type', 'alert_type', everything, {}],
    ['by type, in a small organization', '-alert_type', analyst('BIG-RARE'), {}],
    ['by status', 'status', everything, {}],
    ['by status, in an organization', '-status', analyst('BIG'), {}],
    ['by type, of a rare provider', 'alert_type', everything, { provider: 'custom' }],
  ])('reads at most the allowed rows of alerts %s, on the first page and on the next', async (_, sort, scope, filters) => {
    const page = await listAlerts(service.database.db, scope(), filters, { limit: 5, after: null }, sort);
    expectIndexed(await explain((db) => listAlerts(db, scope(), filters, first(), sort)), 'alerts');
    expectIndexed(await explain((db) => listAlerts(db, scope(), filters, { limit: 50, after: page.next }, sort)), 'alerts');
  });

  it.each([
    ['a rare word', 'platypus'],
    ['an id', 'BIG-SEED-1'],
    ['a common word', 'common'],
    ['common words and a rare one', 'common words platypus'],
  ])('searches alerts through the index for %s', async (_, text) => {
    expectIndexed(await explain((db) => listAlerts(db, everything(), { text }, first())), 'alerts');
  });

  it.each([
    ['a rare word', 'platypus', true],
    ['a word without matches', 'nobodywrotethis', true],
    ['common words and a rare one', 'common words platypus', true],
    ['a common word', 'common', false],
    ['a common word without a rare one', 'common -platypus', false],
  ])('for %s, fetches the matching ids first: %s', async (_, text, fetched) => {
    const queries: string[] = [];
    const db = drizzle(service.database.pg, { casing: 'snake_case', logger: { logQuery: (query) => void queries.push(query) } });
    await listAlerts(db, everything(), { text }, first());
    expect(queries.some((query) => query.includes('find_words('))).toBe(fetched);
  });

  it.each<[string, string | null, CaseFilters, () => PageRequest]>([
    ['the first page', null, {}, first],
    ['a page in the middle', null, {}, deep],
    ['an analyst’s first page', 'BIG', {}, first],
    ['an organization', null, { organizationCode: 'BIG' }, deep],
    ['a small organization', null, { organizationCode: 'BIG-RARE' }, first],
    ['a common status', null, { status: 'open' }, first],
    ['a rare status', null, { status: 'in_progress' }, first],
    ['a rare status in an organization', 'BIG-OTHER', { status: 'in_progress' }, first],
    ['a rare severity', null, { severity: 'critical' }, first],
    ['a rare verdict', null, { verdict: 'malicious' }, first],
    ['an assignee', null, { assignee: 'dana' }, first],
    ['an assignee without cases', null, { assignee: 'nobody' }, first],
    ['unassigned cases', null, { unassigned: true }, deep],
    ['verdicts that the analyst disagrees with', null, { disagrees: true }, first],
    ['verdicts of an organization that the analyst agrees with', 'BIG', { disagrees: false }, first],
    ['a rare tag', null, { tag: 'rare' }, first],
    ['a tag without cases', 'BIG', { tag: 'none' }, first],
    ['a time range', null, { openedFrom: NOW - 30 * DAY, openedBefore: NOW - 29 * DAY }, first],
    ['recent changes', null, { changedFrom: NOW - DAY }, first],
    ['recent changes in an organization', 'BIG', { changedFrom: NOW - DAY }, first],
  ])('reads at most the allowed rows of cases for %s', async (_, scope, filters, page) => {
    expectIndexed(await explain((db) => listCases(db, scope === null ? null : (organizations[scope] ?? ''), filters, page())), 'cases');
  });

  it.each<[string, CaseSort, string | null]>([
    ['oldest first', 'opened_at', null],
    ['by severity', '-severity', null],
    ['by severity, in an organization', '-severity', 'BIG'],
    ['by severity, lowest first', 'severity', 'BIG-OTHER'],
  ])('reads at most the allowed rows of cases %s, on the first page and on the next', async (_, sort, code) => {
    const scope = code === null ? null : (organizations[code] ?? '');
    const page = await listCases(service.database.db, scope, {}, { limit: 3, after: null }, sort);
    expectIndexed(await explain((db) => listCases(db, scope, {}, first(), sort)), 'cases');
    expectIndexed(await explain((db) => listCases(db, scope, {}, { limit: 50, after: page.next }, sort)), 'cases');
  });

  it.each<[string, CaseFilters]>([
    ['all cases', {}],
    ['an organization', { organizationCode: 'BIG' }],
    ['an assignee', { assignee: 'dana' }],
    ['a rare tag', { tag: 'rare' }],
    ['recent changes', { changedFrom: NOW - DAY }],
    ['a rare word', { text: 'platypus' }],
  ])('counts %s without reading more than the counted cases', async (_, filters) => {
    const nodes = await explain(async (db) => ({ items: [await countCases(db, null, filters)], next: null }));
    for (const node of nodes.filter((each) => each['Relation Name'] === 'cases'))
      expect((node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']).toBeLessThanOrEqual(COUNTED_PER_STATUS);
  });
});
