import { drizzle } from 'drizzle-orm/postgres-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../db/client.js';
import { newUuid } from '../../db/ids.js';
import { listRecords, type RecordFilters } from '../../db/records/record-list.js';
import { beginReading, endReading, extendReach } from '../../db/records/records.js';
import type { RecordKind, ThirdPartyRecord } from '../../domain/record/record.js';
import type { ListedRecord, RecordCopy } from '../../domain/record/record-list.js';
import { saveRecords } from '../../services/records/save.js';
import { startTestService, type TestService } from '../support/service.js';
import { storeConnection } from '../support/stored-connection.js';
import { type List, readAllPages } from './support/http.js';
import { createOrganization } from './support/records.js';

const PATH = '/platformapi/third-party-records';
const COPIES = '/platformapi/third-party-record-copies';
const NOW = Math.floor(Date.now() / 1000);

let service: TestService;
const organizations = new Map<string, string>();
const connections = new Map<string, string>();
const keys = new Map<string, string>();
const requireIn = (known: ReadonlyMap<string, string>, name: string) => known.get(name) ?? expect.fail(`there is no ${name}`);

beforeAll(async () => {
  service = await startTestService({ worker: false });
  for (const code of ['NORTH', 'SOUTH']) {
    organizations.set(code, await createOrganization(service, code));
    keys.set(code, (await service.createKey('analyst', code)).api_key);
    connections.set(code, await connect(code));
  }
});
afterAll(() => service.stop());

const connect = (code: string) => storeConnection(service.database.db, { kind: 'incident-source', name: `Incidents ${code}`, code });

async function store(code: string, kind: RecordKind, ...records: (Partial<ThirdPartyRecord> & { recordId: string })[]): Promise<void> {
  const connection = { connectionUuid: requireIn(connections, code), organizationUuid: requireIn(organizations, code) };
  const whole = records.map((record) => ({
    title: `Record ${record.recordId}`,
    severity: null,
    isOpen: true,
    conclusion: null,
    state: 'New',
    happenedAt: NOW,
    updatedAt: NOW,
    mergedInto: null,
    alsoKnownAs: [],
    techniques: [],
    values: [],
    ...record,
  }));
  await saveRecords(service.database.pg, connection, kind, whole, NOW);
}

const search = async (code: string, query: Record<string, string>) =>
  readAllPages<ListedRecord>(service, `${PATH}?${new URLSearchParams(query)}`, { key: requireIn(keys, code), limit: 2 });
const idsOf = (records: readonly ListedRecord[]) => records.map(({ record_id: id }) => id);

describe('the records of third parties', () => {
  beforeAll(async () => {
    await store(
      'NORTH',
      'incident',
      { recordId: '1', title: 'Ransomware on one endpoint', values: ['ws-014.corp.example', 'ws-014', 'dana'], updatedAt: NOW - 300 },
      { recordId: '2', title: 'Phishing mail reported', values: ['dana'], updatedAt: NOW - 200, conclusion: 'malicious', severity: 'high' },
      {
        recordId: '3',
        title: 'Phishing drill',
        values: ['rui'],
        updatedAt: null,
        happenedAt: NOW - 100,
        conclusion: 'test',
        isOpen: false,
      },
    );
    await store('NORTH', 'indicator', { recordId: '9', title: 'Own rule', values: ['bad.example'], happenedAt: null, updatedAt: null });
    await store('SOUTH', 'incident', { recordId: '7', title: 'Phishing mail elsewhere', values: ['dana'] });
  });

  it('are listed newest first, those without a time last', async () => {
    expect(idsOf(await search('NORTH', {}))).toEqual(['3', '2', '1', '9']);
    expect((await search('NORTH', { text: 'phishing mail' }))[0]).toEqual({
      record_uuid: expect.any(String),
      record_id: '2',
      kind: 'incident',
      connection_id: requireIn(connections, 'NORTH'),
      connection: 'Incidents NORTH',
      connector: 'incident-source',
      organization_code: 'NORTH',
      title: 'Phishing mail reported',
      severity: 'high',
      is_open: true,
      state: 'New',
      conclusion: 'malicious',
      happened_at: NOW,
      updated_at: NOW - 200,
      merged_into: null,
      techniques: [],
      values: ['dana'],
    });
  });

  it.each([
    ['an entity', { text: 'dana' }, ['2', '1']],
    ['an account with its domain', { text: 'CORP\\Dana' }, ['2', '1']],
    ['a mail address', { text: 'dana@corp.example' }, ['2', '1']],
    ['a full host name', { text: ' WS-014.corp.example ' }, ['1']],
    ['a host name', { text: 'WS-014' }, ['1']],
    ['a part of an entity', { text: 'dan' }, []],
    ['words of the title', { text: 'PHISHING' }, ['3', '2']],
    ['words that one title does not have', { text: 'phishing drill' }, ['3']],
    ['blank text', { text: ' ' }, ['3', '2', '1', '9']],
    ['signs only', { text: '\'"&|!():*\\' }, []],
    ['a kind', { kind: 'indicator' }, ['9']],
    ['a time', { since: String(NOW - 250) }, ['3', '2']],
    ['the far future', { since: '999999999999999' }, []],
    ['an unknown connection', { connection_id: newUuid() }, []],
    ['an unknown organization', { organization_code: 'NOWHERE' }, []],
  ])('are found by %s', async (_, query, expected) => {
    expect(idsOf(await search('NORTH', query as Record<string, string>))).toEqual(expected);
  });

  it('of another organization never appear', async () => {
    expect(idsOf(await search('SOUTH', {}))).toEqual(['7']);
    expect(idsOf(await search('SOUTH', { text: 'dana' }))).toEqual(['7']);
    expect(await search('SOUTH', { connection_id: requireIn(connections, 'NORTH') })).toEqual([]);
    expect(await search('SOUTH', { organization_code: 'NORTH' })).toEqual([]);
    const all = await readAllPages<ListedRecord>(service, `${PATH}?text=dana`, { limit: 1 });
    expect(idsOf(all)).toEqual(['7', '2', '1']);
  });

  it.each(['kind=odd', 'connection_id=1', 'since=-1', 'cursor=x', `cursor=${Buffer.from('1.2').toString('base64url')}`, 'text=%00'])(
    'are refused for %s',
    async (query) => {
      expect((await service.request('GET', `${PATH}?${query}`)).status).toBe(422);
    },
  );

  it('are not for senders', async () => {
    const { api_key: key } = await service.createKey('sender', 'NORTH');
    expect((await service.request('GET', PATH, { key })).status).toBe(403);
    expect((await service.request('GET', COPIES, { key })).status).toBe(403);
  });
});

describe('the copies of records', () => {
  it('show when they were read and why they could not be', async () => {
    const { pg } = service.database;
    const north = requireIn(connections, 'NORTH');
    for (const kind of ['incident', 'alert'] as const) await beginReading(pg, north, kind, 60);
    await extendReach(pg, north, 'incident', { since: NOW - 1000, until: NOW - 60 });
    await endReading(pg, north, 'incident', 'HTTP 503');
    await beginReading(pg, requireIn(connections, 'SOUTH'), 'incident', 60);
    const found = await readAllPages<RecordCopy>(service, COPIES, { key: requireIn(keys, 'NORTH'), limit: 1 });
    const place = { connection_id: north, connection: 'Incidents NORTH', connector: 'incident-source', organization_code: 'NORTH' };
    expect(found).toEqual([
      { ...place, kind: 'alert', covered_from: null, read_at: null, is_reading: true, last_error: null },
      { ...place, kind: 'incident', covered_from: NOW - 1000, read_at: NOW - 60, is_reading: false, last_error: 'HTTP 503' },
    ]);
    expect((await service.request<List<RecordCopy>>('GET', COPIES)).body.items).toHaveLength(3);
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

describe('with 20,000 records', () => {
  beforeAll(async () => {
    const records = Array.from({ length: 20_000 }, (_, index) => ({
      recordId: `big-${index}`,
      title: `Common words ${index}${index % 2000 === 7 ? ' platypus' : ''}`,
      values: [`host-${index}`, `account-${index % 4000}`],
      updatedAt: NOW - 1000 - index,
    }));
    await store('SOUTH', 'alert', ...records);
    await service.database.pg`vacuum (analyze)`;
  });

  async function explain(filters: RecordFilters, organization: string | null, after: string | null): Promise<PlanNode[]> {
    const { pg } = service.database;
    const queries: { query: string; params: unknown[] }[] = [];
    const db: Db = drizzle(pg, { casing: 'snake_case', logger: { logQuery: (query, params) => void queries.push({ query, params }) } });
    await listRecords(db, organization, filters, { limit: 50, after });
    const { query, params } = queries.at(-1) ?? expect.fail('there was no query');
    const [row] = await pg.unsafe<{ 'QUERY PLAN': { Plan: PlanNode }[] }[]>(`explain (analyze, format json) ${query}`, params as string[]);
    const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
    return row?.['QUERY PLAN'].flatMap(({ Plan }) => flatten(Plan)) ?? [];
  }

  it.each<[string, RecordFilters, boolean, string | null]>([
    ['the first page', {}, true, null],
    ['the first page of all organizations', {}, false, null],
    ['a page in the middle', {}, true, `${(NOW - 10_000) * 1_000_000}.${newUuid()}`],
    ['an entity', { text: 'account-77' }, true, null],
    ['an entity of any organization', { text: 'host-77' }, false, null],
    ['a rare word', { text: 'platypus' }, true, null],
    ['a kind', { kind: 'incident' }, true, null],
  ])('reads few rows for %s', async (_, filters, isScoped, after) => {
    const nodes = await explain(filters, isScoped ? requireIn(organizations, 'SOUTH') : null, after);
    const reads = nodes.filter((node) => ['third_party_records', 'record_values'].includes(node['Relation Name'] ?? ''));
    expect(reads.length).toBeGreaterThan(0);
    for (const node of reads) {
      expect(node['Node Type'], JSON.stringify(node)).not.toBe('Seq Scan');
      const read = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
      expect(read, JSON.stringify(node)).toBeLessThanOrEqual(500);
    }
  });
});
