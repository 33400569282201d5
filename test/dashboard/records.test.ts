import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginReading, endReading, extendReach } from '../../db/records/records.js';
import type { RecordKind, ThirdPartyRecord } from '../../domain/record/record.js';
import { saveRecords } from '../../services/records/save.js';
import { FINDING, investigate, recordAnswer } from '../api/support/records.js';
import { describeInBrowser, expectAccessible, expectNoSidewaysScroll, NARROW, openPage } from '../support/dashboard.js';
import { startTestService, type TestService } from '../support/service.js';
import { storeConnection } from '../support/stored-connection.js';

describeInBrowser('the records', () => {
  let service: TestService;
  const now = Math.floor(Date.now() / 1000);

  beforeAll(async () => {
    service = await startTestService({ dashboard: true, worker: false });
    const [organization] = await service.database.pg<{ uuid: string }[]>`
      select organization_uuid as uuid from organizations where organization_code = 'DEMO'`;
    const organizationUuid = organization?.uuid ?? '';
    const connect = (kind: string, name: string) => storeConnection(service.database.db, { kind, name });
    const store = async (connectionUuid: string, kind: RecordKind, error: string | null, records: ThirdPartyRecord[]) => {
      const { pg } = service.database;
      await beginReading(pg, connectionUuid, kind, 60);
      await saveRecords(pg, { connectionUuid, organizationUuid }, kind, records, now);
      await extendReach(pg, connectionUuid, kind, { since: now - 30 * 86_400, until: now - 60 });
      await endReading(pg, connectionUuid, kind, error);
    };
    const record = (recordId: string, more: Partial<ThirdPartyRecord>): ThirdPartyRecord => ({
      recordId,
      title: `Record ${recordId}`,
      severity: null,
      isOpen: true,
      conclusion: null,
      state: 'Active',
      happenedAt: now - 3600,
      updatedAt: now - 1800,
      mergedInto: null,
      alsoKnownAs: [],
      techniques: [],
      values: [],
      ...more,
    });
    await store(await connect('incident-source', 'Incidents'), 'incident', null, [
      record('2041', { title: 'Ransomware on one endpoint', severity: 'high', values: ['ws-014', 'dana'] }),
      record('2042', {
        title: 'Phishing drill',
        severity: 'low',
        state: 'Resolved, InformationalExpectedActivity, SecurityTesting',
        conclusion: 'test',
        isOpen: false,
        values: ['dana'],
        updatedAt: now - 7200,
      }),
    ]);
    await store(await connect('endpoint-detection', 'Endpoints'), 'alert', 'The third party replied with HTTP 503.', [
      record('da1', {
        title: 'Malware was prevented',
        severity: 'medium',
        conclusion: 'malicious',
        values: ['ws-014'],
        updatedAt: now - 900,
      }),
    ]);
  });
  afterAll(() => service?.stop());

  const open = (where: string, looks = {}) => openPage(service.url, service.adminKey, { path: where, ...looks });
  const titles = async (page: Page) =>
    page.getByRole('table', { name: 'Records' }).locator('tbody tr td:first-child p:first-child').allTextContents();
  const MALWARE = 'Malware was prevented';
  const RANSOMWARE = 'Ransomware on one endpoint';
  const DRILL = 'Phishing drill';

  test('are found by an entity, by words, by kind and by connection', async () => {
    const page = await open('/');
    await page.getByRole('link', { name: 'Records' }).click();
    await page.getByRole('table', { name: 'Records' }).waitFor();
    expect(await titles(page)).toEqual([MALWARE, RANSOMWARE, DRILL]);
    await expectAccessible(page);
    const only = async (gone: string, ...expected: string[]) => {
      await page.getByText(gone, { exact: true }).waitFor({ state: 'detached' });
      expect(await titles(page)).toEqual(expected);
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByText(gone, { exact: true }).waitFor();
    };
    const field = page.getByRole('searchbox', { name: 'Search records' });
    await field.fill('CORP\\Dana');
    await only(MALWARE, RANSOMWARE, DRILL);
    await field.fill('ransomware');
    await only(DRILL, RANSOMWARE);
    await page.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Incident', exact: true }).click();
    await only(MALWARE, RANSOMWARE, DRILL);
    await page.getByRole('combobox', { name: 'Connection' }).click();
    await page.getByRole('option', { name: 'Endpoints' }).click();
    await only(DRILL, MALWARE);
    await field.fill('nobody');
    await page.getByText('No records match these filters').waitFor();
  });

  test('show what people concluded and how fresh each copy is, also on a narrow screen', async () => {
    const page = await open('/records?text=dana', { viewport: NARROW, colorScheme: 'dark' });
    const drill = page.getByRole('row', { name: new RegExp(DRILL) });
    await drill.waitFor();
    expect(await drill.textContent()).toContain('test');
    const copies = page.getByRole('table', { name: 'Copies' });
    expect(await copies.getByRole('row', { name: /Endpoints/ }).textContent()).toContain('HTTP 503');
    await page.getByText('One copy could not be brought up to date.').waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  test('an answer of another alert shows its age', async () => {
    const first = await service.sendAlert();
    await investigate(service, first);
    const second = await service.sendAlert();
    const call = { connector: 'threat-intelligence', skillId: 'Get Enrichment', afterMs: -4.5 * 60_000, tookMs: 20 };
    const reused = await recordAnswer(service, first, { ...call, reused: true });
    const own = await recordAnswer(service, second, { ...call, skillId: 'Get Sightings', afterMs: -2 * 3600 * 1000, reused: true });
    const caseId = await investigate(service, second, { evidence: [FINDING, reused, own] });
    const page = await open(`/cases/${caseId}`);
    await page.getByRole('tab', { name: /Evidence/ }).click();
    await page.getByText('Get Enrichment (main), answered 4 minutes earlier').waitFor();
    await page.getByText('Get Sightings (main), from an earlier investigation, answered 2 hours earlier').waitFor();
    await page.goto(`/alerts/${second.alert_id}`);
    await page.getByText('Reused: answered 4 minutes earlier').waitFor();
    await expectAccessible(page);
  });
});
