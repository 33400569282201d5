import { afterAll, beforeAll, expect, test } from 'vitest';
import { AROUND_THE_CLOCK } from '../../domain/sla/calendar.js';
import { investigate } from '../api/support/records.js';
import { describeInBrowser, expectAccessible, expectNoSidewaysScroll, NARROW, openPage, selectLooks } from '../support/dashboard.js';
import { ago, restartCaseClocks } from '../support/rows.js';
import { startTestService, type TestService, waitFor } from '../support/service.js';

const SEVERITIES = ['informational', 'low', 'medium', 'high', 'critical'];

describeInBrowser('the SLA clocks', () => {
  let service: TestService;
  let late: string;
  let young: string;

  beforeAll(async () => {
    service = await startTestService({ dashboard: true, worker: false });
    const { pg } = service.database;
    const targets = SEVERITIES.map((severity) => ({ severity, acknowledge_minutes: 30, close_minutes: 240 }));
    const body = { time_zone: 'UTC', hours: AROUND_THE_CLOCK, holidays: [], targets };
    expect((await service.request('PUT', '/platformapi/organizations/DEMO/sla', { body })).status).toBe(200);
    const openCase = async () => {
      const { alert_id: alertId } = await service.sendAlert();
      return investigate(service, await service.waitForStatus(alertId, 5));
    };
    late = await openCase();
    young = await openCase();
    await restartCaseClocks(service, late, ago({ hours: 2, minutes: 2 }));
    await waitFor('the breach', async () => (await pg`select 1 from case_clocks where breached_at is not null`).length === 1);
  });
  afterAll(() => service?.stop());

  test.each(selectLooks(['light', 'dark']))('are on the case page in %s', async (colorScheme) => {
    const page = await openPage(service.url, service.adminKey, { path: `/cases/${late}`, colorScheme });
    await page.getByText('late by 1 hour, due').waitFor();
    await page.getByText('1 hour left, due').waitFor();
    await page.getByRole('heading', { level: 2 }).getByText('Overdue').waitFor();
    await expectAccessible(page);
    await page.setViewportSize(NARROW);
    await expectNoSidewaysScroll(page);
  });

  test('mark and filter the list of cases', async () => {
    const page = await openPage(service.url, service.adminKey, { path: '/cases' });
    await page.getByRole('row').filter({ hasText: late }).getByText('Overdue').waitFor();
    await page.getByRole('combobox', { name: 'SLA' }).click();
    await page.getByRole('option', { name: 'Breached' }).click();
    await page.getByText(young, { exact: true }).waitFor({ state: 'detached' });
    await page.getByText(late, { exact: true }).waitFor();
    await expectAccessible(page);
  });

  test('show the acknowledgement, and the figures with their definitions and cases on the overview', async () => {
    const page = await openPage(service.url, service.adminKey, { path: `/cases/${young}` });
    await page.getByText(/\d+ minutes left, due/).waitFor();
    await service.request('PATCH', `/platformapi/cases/${young}`, { body: { comment: 'I look.' } });
    await page.getByText('Acknowledged', { exact: true }).waitFor();
    await page.getByText('in time', { exact: true }).waitFor();
    const overview = await openPage(service.url, service.adminKey, { path: '/' });
    const rate = overview.getByRole('region', { name: 'SLA breach rate' });
    await rate.getByText('Missed limits among those that were met or missed: 1 of 2 in the last 24 hours.').waitFor();
    await overview.getByText(/Mean time to acknowledge\. 1 case was acknowledged/).waitFor();
    await overview.getByText('Mean time to close. No case was closed in the last 24 hours.').waitFor();
    await expectAccessible(overview);
    await rate.getByRole('link', { name: '50 %' }).click();
    await overview.getByText(late, { exact: true }).waitFor();
    expect(await overview.getByText(young, { exact: true }).count()).toBe(0);
  });
});
