import { drizzle } from 'drizzle-orm/postgres-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AlertFilters, type AlertScope, listAlerts } from '../../db/alerts/alerts.js';
import { COUNTED_PER_STATUS, countCases } from '../../db/cases/case-counts.js';
import type { CaseFilters } from '../../db/cases/case-filters.js';
import { listCases } from '../../db/cases/cases.js';
import type { Db } from '../../db/client.js';
import type { Page, PageRequest } from '../../db/page.js';
import type { AlertSort } from '../../domain/alert/alert-sort.js';
import type { CaseSort } from '../../domain/case/case-sort.js';
import { ago } from '../support/rows.js';
import { type SeededAlert, seedAlerts, seedCases } from '../support/seeded-lists.js';
import { startTestService, type TestService } from '../support/service.js';
import { createOrganization } from './support/records.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const NOW = Math.floor(Date.now() / 1000);
const DAY = 86_400;

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
const MAX_READ = 500;

function expectIndexed(nodes: readonly PlanNode[], table: 'alerts' | 'cases'): void {
  const reads = nodes.filter((node) => node['Relation Name'] === table);
  expect(reads.length).toBeGreaterThan(0);
  for (const node of reads) {
    expect(node['Node Type']).not.toBe('Seq Scan');
    const read = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
    expect(read, JSON.stringify(node)).toBeLessThanOrEqual(MAX_READ);
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
        completedAt: NOW - 40 * DAY + index * 100,
        ...(index % rareEvery === 12 ? { createdBy: rareCreator } : {}),
      };
    });
    await seedAlerts(service, seeded);
    const { user_uuid: assigneeUuid } = await service.createPerson('analyst', 'BIG', 'Rana');
    const rare = {
      status: 'in_progress',
      severity: 'critical',
      verdict: 'malicious',
      analystVerdict: 'benign',
      assignee: 'dana',
      tags: ['rare'],
    };
    const modifiedAt = ago({ days: 9 });
    for (const code of ['BIG-RARE', 'BIG', 'BIG-OTHER']) {
      await seedCases(service, code, 5, rare);
      if (code === 'BIG') await seedCases(service, code, 5, { assignee: 'Rana', assigneeUuid, modifiedAt });
      await seedCases(service, code, 20_000, { modifiedAt });
    }
    const { pg } = service.database;
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
    ['an assignee who is a user', null, { assignee: 'Rana' }, first],
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
