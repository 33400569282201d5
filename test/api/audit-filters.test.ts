import { drizzle } from 'drizzle-orm/postgres-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuditFilters, listAudit } from '../../db/identity/audit.js';
import type { AuditEntry } from '../../services/audit/wire.js';
import { storeAuditEntries } from '../support/rows.js';
import { startTestService, type TestService } from '../support/service.js';
import { readAllPages } from './support/http.js';
import { createOrganization } from './support/records.js';

const ENTRIES = 20_000;
/** One entry per minute. All of them are later than the entries that this test creates itself. */
const STARTED_AT = Math.floor(Date.now() / 1000) + 7_200;
const RARE = new Map([
  [1, ['case.update', 'night shift']],
  [2, ['case.merge']],
]);
const at = (entry: number) => STARTED_AT + entry * 60;

let service: TestService;
let organizationUuid: string;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  organizationUuid = await createOrganization(service, 'LOGGED');
  const entries = Array.from({ length: ENTRIES }, (_, n) => {
    const [action = 'alert.create', principalName = 'siem'] = RARE.get(n % 5_000) ?? [];
    return { at: at(n), principalName, organizationUuid, action, target: `LOGGED-SIEM-${n}` };
  });
  await storeAuditEntries(service, entries);
  await service.database.pg`analyze audit_log`;
});
afterAll(() => service.stop());

const listed = (query: string, limit = 200) => readAllPages<AuditEntry>(service, `/platformapi/audit?${query}`, { limit });
const targets = async (query: string, limit?: number) => (await listed(query, limit)).map(({ target }) => target);
const named = (...entries: number[]) => entries.map((entry) => `LOGGED-SIEM-${entry}`);

describe('GET /platformapi/audit', () => {
  it('filters by action, principal and target, page by page', async () => {
    expect(await targets('action=case.merge', 3)).toEqual(named(15_002, 10_002, 5_002, 2));
    expect(await targets(`principal_name=${encodeURIComponent('night shift')}`, 3)).toEqual(named(15_001, 10_001, 5_001, 1));
    expect(await targets('target=LOGGED-SIEM-5002')).toEqual(named(5_002));
    expect(await targets('target=LOGGED-SIEM-5002&action=case.update')).toEqual([]);
    expect(await targets('action=case.update&principal_name=night%20shift')).toEqual(named(15_001, 10_001, 5_001, 1));
    expect(await targets('target=LOGGED-SIEM-77'), 'an alert that came').toEqual([]);
  });

  it('filters by an inclusive start time and an exclusive end time', async () => {
    expect(await targets(`at_from=${at(100)}&at_before=${at(103)}`, 2)).toEqual(named(102, 101, 100));
    expect(await targets(`at_from=${at(100) + 1}&at_before=${at(102) + 1}`)).toEqual(named(102, 101));
    expect(await targets(`at_from=${at(ENTRIES - 2)}`)).toEqual(named(ENTRIES - 1, ENTRIES - 2));
    expect(await targets(`at_from=${at(ENTRIES)}`)).toEqual([]);
    expect(await targets('at_before=1')).toEqual([]);
    expect(await targets('at_from=999999999999999')).toEqual([]);
    const own = await listed(`at_before=${STARTED_AT}`);
    expect(own.map(({ action }) => action)).toContain('organization.create');
    expect(own.some(({ target }) => target.startsWith('LOGGED-SIEM-'))).toBe(false);
  });

  it('keeps insertion order when the time of an entry is slightly out of order', async () => {
    const late = { at: at(ENTRIES - 30), principalName: 'siem', organizationUuid, action: 'alert.create', target: 'late' };
    await storeAuditEntries(service, [late]);
    expect(await targets(`at_from=${at(ENTRIES - 30)}&at_before=${at(ENTRIES - 29)}`)).toEqual(['late', ...named(ENTRIES - 30)]);
  });

  it('returns 422 for an invalid time, an overlong action or an unsupported combination of filters', async () => {
    const impossible = 'action=alert.create&principal_name=siem';
    for (const query of ['at_from=yesterday', 'at_before=-1', `action=${'x'.repeat(101)}`, impossible])
      expect((await service.request('GET', `/platformapi/audit?${query}`)).status, query).toBe(422);
  });

  it.each<[string, AuditFilters]>([
    ['a rare action', { action: 'case.merge' }],
    ['an action without entries', { action: 'case.unheard-of' }],
    ['the common action', { action: 'alert.create' }],
    ['a principal with few entries', { principalName: 'night shift' }],
    ['an unknown principal', { principalName: 'nobody' }],
    ['a target', { target: 'LOGGED-SIEM-7' }],
    ['an old time range', { from: at(500), before: at(510) }],
    ['a time before the first entry', { before: 1 }],
    ['a time after the last entry', { from: at(ENTRIES * 2) }],
  ])('reads at most 500 rows for %s', async (_, filters) => {
    for (const scope of [null, organizationUuid]) expect(await rowsRead(scope, filters)).toBeLessThanOrEqual(500);
  });
});

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: PlanNode[];
}

/** How many rows the database reads for the first page, according to the query plan it executed. */
async function rowsRead(scope: string | null, filters: AuditFilters): Promise<number> {
  const { pg } = service.database;
  const queries: { query: string; params: unknown[] }[] = [];
  const db = drizzle(pg, { casing: 'snake_case', logger: { logQuery: (query, params) => void queries.push({ query, params }) } });
  await listAudit(db, scope, filters, { limit: 50, after: null });
  const [{ query, params } = expect.fail('there was no query')] = queries;
  const [row] = await pg.unsafe<{ 'QUERY PLAN': { Plan: PlanNode }[] }[]>(`explain (analyze, format json) ${query}`, params as string[]);
  const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
  return (row?.['QUERY PLAN'] ?? [])
    .flatMap(({ Plan }) => flatten(Plan))
    .filter((node) => node['Relation Name'] === 'audit_log')
    .reduce((sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'], 0);
}
