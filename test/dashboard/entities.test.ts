import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AlertListItem } from '../../domain/alert/alert.js';
import type { ProvenName } from '../../domain/entity/names.js';
import { investigate } from '../api/support/records.js';
import { describeInBrowser, expectAccessible, openPage } from '../support/dashboard.js';
import type { TestService } from '../support/service.js';
import { HOST, startWithKnownHost } from './support/known-host.js';

describeInBrowser('search and entities', () => {
  let service: TestService;
  let alert: AlertListItem;
  let caseId: string;

  beforeAll(async () => {
    ({ service, alert, caseId } = await startWithKnownHost());
  });
  afterAll(() => service?.stop());

  const open = (path: string) => openPage(service.url, service.adminKey, { path });
  const hostRows = (page: Page) => page.getByRole('table', { name: 'Entity alerts' }).locator('tbody tr');

  test.each(['alert', 'case'])('shows all alerts of a host one click from its %s', async (from) => {
    const page = await open(from === 'alert' ? `/alerts/${alert.alert_id}` : `/cases/${caseId}`);
    await page.getByRole('link', { name: `${HOST} (victim)` }).click();
    await page.getByRole('heading', { name: `${HOST} Host` }).waitFor();
    await hostRows(page).nth(2).waitFor();
    expect(await hostRows(page).count()).toBe(3);
    expect(await page.title()).toBe(`${HOST} (Host) · Alert investigator`);
  });

  test('shows the other names of an entity, and those that may be its names', async () => {
    const names: ProvenName[] = [{ family: 'host', short: 'fin-ws-7', full: 'fin-ws-7.harbour.example' }];
    const another = await service.sendAlert();
    await investigate(service, another, {
      entities: ['fin-ws-7', 'fin-ws-8', 'fin-ws-8.harbour.example'].map((value) => ({ kind: 'host', value })),
      names,
    });
    const page = await open(`/entity?${new URLSearchParams({ kind: 'host', value: 'fin-ws-7', organization: 'DEMO' })}`);
    await page.getByRole('heading', { name: 'fin-ws-7.harbour.example Host' }).waitFor();
    await page.getByText('Also written as').waitFor();
    await page.goto(`/entity?${new URLSearchParams({ kind: 'host', value: 'fin-ws-8', organization: 'DEMO' })}`);
    await page.getByRole('heading', { name: 'fin-ws-8 Host' }).waitFor();
    await page.getByText('Perhaps the same').waitFor();
    await page.getByRole('link', { name: 'fin-ws-8.harbour.example' }).waitFor();
  });

  test('finds a host by a part of its name with the keyboard alone', async () => {
    const page = await open('/settings');
    await page.keyboard.press('/');
    await page.getByRole('textbox', { name: 'Search text' }).waitFor();
    await page.keyboard.type('ws-014.harb');
    await page.getByRole('button', { name: `${HOST} Host` }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `${HOST} Host` }).waitFor();
    await hostRows(page).nth(2).waitFor();
  });

  test('lists the events of a case in their order', async () => {
    const page = await open(`/cases/${caseId}?tab=events`);
    await page.getByRole('tabpanel').getByRole('link', { name: alert.alert_id }).waitFor();
    await expectAccessible(page);
  });
});
