import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AlertListItem, InvestigationStatus } from '../../domain/alert/alert.js';
import type { CaseSummary } from '../../domain/case/case.js';
import type { CaseCounts, CaseVisit } from '../../services/cases/wire.js';
import { ago, changeCases, changeCaseVisits } from '../support/rows.js';
import { seedAlerts, seedCases } from '../support/seeded-lists.js';
import { startTestService, type TestService } from '../support/service.js';
import { type List, readAllPages } from './support/http.js';
import { createOrganization, FINDING, investigate } from './support/records.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const newCase = async (organization: string, points: number) =>
  investigate(service, await service.sendAlert({ organization_code: organization }), { evidence: [{ ...FINDING, points }] });
const patch = (caseId: string, body: object, key?: string) =>
  service.request<CaseSummary>('PATCH', `/platformapi/cases/${caseId}`, { body, ...(key === undefined ? {} : { key }) });
const list = async (query: string, key?: string) => {
  const found = await readAllPages<CaseSummary>(service, `/platformapi/cases?${query}`, {
    limit: 2,
    ...(key === undefined ? {} : { key }),
  });
  return found.map(({ case_id }) => case_id);
};

describe('the order of a list', () => {
  it('of alerts is each of its columns in both directions, with every alert once', async () => {
    await createOrganization(service, 'ORDER');
    const send = (type: string) => service.sendAlert({ organization_code: 'ORDER', alert_type: type });
    const ended = [await send('Ziel'), await send('Älter, 100 %'), await send('ankunft')];
    const last = await send('Älter, 100 %');
    const sent = [...ended, last];
    for (const alert of ended) await investigate(service, alert);
    // An alert whose status changes while the pages are read can be on two of them.
    await service.waitForStatus(last.alert_id, InvestigationStatus.Submitted);
    const read = async (sort: string) => {
      const found = await readAllPages<AlertListItem>(service, `/platformapi/alerts?organization_code=ORDER&sort=${sort}`, { limit: 1 });
      return found.map(({ alert_id }) => sent.findIndex((alert) => alert.alert_id === alert_id));
    };
    expect(await read('-created_at')).toEqual([3, 2, 1, 0]);
    expect(await read('created_at')).toEqual([0, 1, 2, 3]);
    const byType = await read('alert_type');
    expect(byType.indexOf(2)).toBeLessThan(byType.indexOf(0));
    expect(byType.indexOf(3)).toBe(byType.indexOf(1) + 1);
    expect(await read('-alert_type')).toEqual(byType.toReversed());
    expect(await read('status')).toEqual([3, 0, 1, 2]);
    expect((await read('-completed_at')).toSorted()).toEqual([0, 1, 2]);
    expect(await read('completed_at')).toEqual((await read('-completed_at')).toReversed());
  });

  it('refuses a cursor of another order', async () => {
    const { body } = await service.request<List<AlertListItem>>('GET', '/platformapi/alerts?limit=1&sort=alert_type');
    for (const sort of ['-created_at', 'status', '-completed_at']) {
      const reply = await service.request<{ detail: string }>('GET', `/platformapi/alerts?sort=${sort}&cursor=${body.next_cursor}`);
      expect(reply.status, sort).toBe(422);
      expect(reply.body.detail).toContain('cursor');
    }
    const broken = Buffer.from(`${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}.%E0%A4%A`, 'latin1').toString('base64url');
    expect((await service.request('GET', `/platformapi/alerts?sort=alert_type&cursor=${broken}`)).status).toBe(422);
    expect((await service.request('GET', '/platformapi/cases?sort=title')).status).toBe(422);
  });

  it('of cases is their age or their severity', async () => {
    await createOrganization(service, 'GRAVE');
    const [high, low, other] = [await newCase('GRAVE', 80), await newCase('GRAVE', -60), await newCase('GRAVE', 80)];
    expect(await list('organization_code=GRAVE&sort=opened_at')).toEqual([high, low, other]);
    expect(await list('organization_code=GRAVE&sort=-severity')).toEqual([other, high, low]);
    expect(await list('organization_code=GRAVE&sort=severity')).toEqual([low, high, other]);
  });
});

describe('a filter for cases', () => {
  it('by tag finds each spelling of the tag', async () => {
    const [tagged, other] = [await newCase('DEMO', 80), await newCase('DEMO', 80)];
    const { body } = await patch(tagged, { tags: [' VPN ', 'vpn', 'Dana'] });
    expect(body.tags).toEqual(['dana', 'vpn']);
    expect(await list('tag=Vpn')).toEqual([tagged]);
    await patch(other, { add_tags: ['vpn'] });
    expect(await list('tag=vpn')).toEqual([other, tagged]);
    await patch(tagged, { tags: [] });
    expect(await list('tag=vpn')).toEqual([other]);
    const { body: read } = await service.request<{ timeline: { kind: string; text: string }[] }>('GET', `/platformapi/cases/${tagged}`);
    expect(read.timeline.filter(({ kind }) => kind === 'tags').map(({ text }) => text)).toEqual(['+vpn, +dana', '−dana, −vpn']);
  });

  it('refuses tags that are too many, too long or empty', async () => {
    const found = await newCase('DEMO', 80);
    const many = Array.from({ length: 20 }, (_, index) => `tag ${index}`);
    expect((await patch(found, { tags: many })).status).toBe(200);
    expect((await patch(found, { add_tags: ['one more'] })).status).toBe(409);
    for (const tags of [[''], ['  '], ['x'.repeat(51)], ['a,b'], ['\u0000'], [...many, 'more']])
      expect((await patch(found, { tags })).status, JSON.stringify(tags)).toBe(422);
    expect((await patch(found, { tags: [], add_tags: [] })).status).toBe(422);
  });

  it('by time of opening', async () => {
    const found = await newCase('DEMO', 80);
    const { body } = await service.request<CaseSummary>('GET', `/platformapi/cases/${found}`);
    expect(await list(`opened_from=${body.opened_at}`)).toContain(found);
    expect(await list(`opened_from=${body.opened_at + 60}`)).toEqual([]);
    expect(await list(`opened_before=${body.opened_at - 3600}`)).toEqual([]);
  });

  it('by the changes since the last visit of the key', async () => {
    const mine = await service.createKey('analyst');
    const visit = async () =>
      (await service.request<CaseVisit>('POST', '/platformapi/case-visit', { key: mine.api_key })).body.last_visit_at;
    const [old, changed] = [await newCase('DEMO', 80), await newCase('DEMO', 80)];
    expect(await visit()).toBeNull();
    expect(await list('since_last_visit=true', mine.api_key)).toContain(old);
    await changeCases(service, {}, { modifiedAt: ago({ hours: 2 }) });
    await changeCaseVisits(service, { principalUuid: mine.key_uuid }, { seenAt: ago({ minutes: 29 }) });
    expect(await visit()).toBeNull();
    await changeCaseVisits(service, { principalUuid: mine.key_uuid }, { seenAt: ago({ minutes: 31 }) });
    const lastVisit = await visit();
    expect(Math.abs((lastVisit ?? 0) - (Date.now() / 1000 - 31 * 60))).toBeLessThan(60);
    expect(await visit()).toBe(lastVisit);
    expect(await list('since_last_visit=true', mine.api_key)).toEqual([]);
    await patch(changed, { comment: 'seen' });
    expect(await list('since_last_visit=true', mine.api_key)).toEqual([changed]);
    expect(await list('since_last_visit=true')).toContain(old);
  });
});

describe('the counts of the filters', () => {
  it('count each value under the other filters', async () => {
    await createOrganization(service, 'COUNTS');
    const [, closed] = [await newCase('COUNTS', 80), await newCase('COUNTS', 80), await newCase('COUNTS', -60)];
    await patch(closed ?? '', { classification: 'true_positive', tags: ['counted'] });
    const count = async (query: string) => {
      const { body } = await service.request<CaseCounts>('GET', `/platformapi/case-counts?organization_code=COUNTS&${query}`);
      const toObject = (counts: CaseCounts['status']) => Object.fromEntries(counts.map(({ value, count: number }) => [value, number]));
      return { ...body, status: toObject(body.status), verdict: toObject(body.verdict), severity: toObject(body.severity) };
    };
    expect(await count('')).toMatchObject({
      status: { open: 2, closed: 1 },
      verdict: { malicious: 2, benign: 1 },
      is_complete: true,
    });
    expect(await count('status=closed')).toMatchObject({ status: { open: 2, closed: 1 }, verdict: { malicious: 1 } });
    expect((await count('verdict=benign')).status).toEqual({ open: 1 });
    expect((await count('tag=counted')).status).toEqual({ closed: 1 });
    expect((await count('tag=nothing')).status).toEqual({});
    const { api_key: key } = await service.createKey('analyst', 'GRAVE');
    const foreign = await service.request<CaseCounts>('GET', '/platformapi/case-counts?organization_code=COUNTS', { key });
    expect(foreign.body.status).toEqual([]);
  });
});

describe('a filter for cases by a field', () => {
  beforeAll(async () => {
    await createOrganization(service, 'CASES');
    await seedAlerts(
      service,
      Array.from({ length: 4 }, () => ({
        organization: 'CASES',
        provider: 'siem',
        type: 'Case',
        content: 'x',
        status: 15,
        createdAt: Math.floor(Date.now() / 1000) - 3_000,
      })),
    );
    await seedCases(service, 'CASES', 1, { status: 'open', severity: 'high', verdict: 'malicious', assignee: 'dana' });
    await seedCases(service, 'CASES', 1, { status: 'in_progress', severity: 'low', verdict: 'benign', assignee: 'robin' });
    await seedCases(service, 'CASES', 2, { status: 'closed', severity: 'high', verdict: 'benign', assignee: 'dana' });
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
