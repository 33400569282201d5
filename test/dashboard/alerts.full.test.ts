import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillWithAlerts, SOUGHT } from '../../dev/bench/lists-data.js';
import { FINDING, investigate } from '../api/support/records.js';
import {
  describeInBrowser,
  everyLook,
  expectAccessible,
  expectNoSidewaysScroll,
  FURTHER_LOOKS,
  openPage,
  selectLooks,
} from '../support/dashboard.js';
import { changeAlerts } from '../support/rows.js';
import { startTestService, type TestService, waitFor } from '../support/service.js';

/** Storing 100,000 alerts takes longer than the other tests of the file. */
const COUNT = everyLook ? 100_000 : 10_000;
const COLUMNS = 'ID,ORG,PROVIDER,ALERT NAME,STATUS,CREATION TIME,INVESTIGATOR,CASE ID,COMPLETION TIME,Content'.split(',');

describeInBrowser('the list of alerts', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ dashboard: true, worker: false });
    await fillWithAlerts(service.settings.DATABASE_URL ?? '', COUNT);
    // Of few alerts none may fail that matches all filters of a test.
    const [sought] = await service.database.pg<{ uuid: string }[]>`
      select alert_uuid as uuid from alerts join organizations using (organization_uuid) join providers using (provider_uuid)
      where organization_code = ${SOUGHT.organization} and providers.name = ${SOUGHT.provider} and alert_type = ${SOUGHT.alertType}
      order by alert_uuid limit 1`;
    await changeAlerts(service, { alertUuid: sought?.uuid ?? '' }, { investigationStatus: 20 });
  });
  afterAll(() => service?.stop());

  const open = (path = '/alerts', looks = {}) => openPage(service.url, service.adminKey, { path, ...looks });
  const rows = (page: Page) => page.getByRole('table', { name: 'Alerts' }).locator('tbody tr');
  const ids = async (page: Page) => {
    await rows(page).first().waitFor();
    return rows(page).locator('td:first-child').allTextContents();
  };
  const choose = async (page: Page, label: string, option: string) => {
    await page.getByRole('combobox', { name: label }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  test('has the columns and labels of the specification', async () => {
    const page = await open();
    await rows(page).first().waitFor();
    expect(await page.getByRole('columnheader').allTextContents()).toEqual(COLUMNS);
    await rows(page).first().getByText('Inprogress').waitFor();
    await page.getByRole('combobox', { name: 'Status' }).click();
    expect(await page.getByRole('option').allTextContents()).toEqual(['Created', 'Submitted', 'Inprogress', 'Completed', 'Failed']);
  });

  test('shows the number of a long id, whole badges, and the headers on one line', async () => {
    const alert = await service.sendAlert({ alert_provider: 'identity-provider' });
    await investigate(service, alert, { evidence: [{ ...FINDING, points: 80 }] });
    // The longest verdict is "inconclusive".
    await investigate(service, await service.sendAlert({ alert_provider: 'identity-provider' }), {
      evidence: [{ ...FINDING, points: 20 }],
    });
    const page = await open('/alerts?provider=identity-provider', { viewport: { width: 1280, height: 860 } });
    const link = page.getByRole('link', { name: alert.alert_id, exact: true });
    const [start, number] = [link.locator('span > span').first(), link.locator('span > span').last()];
    await number.waitFor();
    expect(await start.evaluate((part) => part.scrollWidth > part.clientWidth)).toBe(true);
    expect(await number.textContent()).toBe(alert.alert_id.slice(alert.alert_id.lastIndexOf('-')));
    const [cell, end] = [await page.locator('td').first().boundingBox(), await number.boundingBox()];
    expect((end?.x ?? 0) + (end?.width ?? 0)).toBeLessThanOrEqual((cell?.x ?? 0) + (cell?.width ?? 0));
    await rows(page)
      .first()
      .getByRole('img', { name: /^Severity: / })
      .waitFor();
    const heights = await page.locator('th .sort-button').evaluateAll((buttons) => buttons.map((button) => button.getClientRects().length));
    expect(new Set(heights)).toEqual(new Set([1]));
    const cut = await page
      .locator('th, td:has(.mantine-Badge-root)')
      .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent));
    expect(cut).toEqual([]);
    await expectAccessible(page);
  });

  test(`pages through ${COUNT.toLocaleString('en')} alerts, and back`, async () => {
    const page = await open();
    const first = await ids(page);
    expect(first).toHaveLength(50);
    const seen = new Set(first);
    for (let number = 2; number <= 5; number += 1) {
      const [last] = (await ids(page)).slice(-1);
      await page.getByRole('button', { name: 'Older' }).click();
      await page.getByText(last ?? '', { exact: true }).waitFor({ state: 'detached' });
      for (const id of await ids(page)) seen.add(id);
    }
    expect(seen.size).toBe(250);
    await page.goBack();
    await page.getByRole('button', { name: 'Newest' }).click();
    await page.getByText(first[0] ?? '', { exact: true }).waitFor();
    expect(await ids(page)).toEqual(first);
  });

  test('searches words and shows when no alert matches', async () => {
    const page = await open();
    await rows(page).first().waitFor();
    const search = page.getByRole('searchbox', { name: 'Search alerts' });
    const wholeWord = `"${SOUGHT.oneAlert}"`;
    await search.fill(wholeWord);
    await page.waitForURL(({ searchParams }) => searchParams.get('text') === wholeWord);
    await rows(page).nth(1).waitFor({ state: 'detached' });
    expect(await ids(page)).toHaveLength(1);
    await search.fill('nobodywrotethis');
    await page.getByText('No alerts match these filters').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await rows(page).nth(49).waitFor();
    expect(await search.inputValue()).toBe('');
  });

  test('keeps its filters in the address', async () => {
    const page = await open();
    await rows(page).first().waitFor();
    await choose(page, 'Status', 'Failed');
    await choose(page, 'Organization', SOUGHT.organization);
    await choose(page, 'Provider', SOUGHT.provider);
    await page.getByRole('searchbox', { name: 'Alert name' }).fill(SOUGHT.alertType.toUpperCase());
    await page.getByLabel('Before').fill('2099-01-01T00:00');
    await page.getByLabel('Before').blur();
    // The text of the search arrives later than a choice, so the order of the last two varies.
    await page.waitForURL(({ searchParams }) => searchParams.has('to') && searchParams.has('type'));
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
      status: '20',
      organization: SOUGHT.organization,
      provider: SOUGHT.provider,
      type: SOUGHT.alertType.toUpperCase(),
    });
    const { pathname, search } = new URL(page.url());
    const sent = await open(pathname + search);
    await waitFor('both pages to show the same alerts', async () => String(await ids(sent)) === String(await ids(page)));
    for (const text of await rows(page).allTextContents()) {
      expect(text).toContain('ORG-3');
      expect(text).toContain('Failed');
      expect(text).toContain(SOUGHT.alertType);
    }
    const csv = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
    expect(csv).toMatch(/alerts\.csv\?.*status=20.*organization_code=ORG-3/);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    expect((await download).suggestedFilename()).toBe('alerts.csv');
    await page.getByLabel('From').fill('2098-01-01T00:00');
    await page.getByLabel('From').blur();
    await page.getByText('No alerts match these filters').waitFor();
  });

  test('keeps the position while new alerts arrive', async () => {
    const page = await open();
    const [newest] = await ids(page);
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByText(newest ?? '', { exact: true }).waitFor({ state: 'detached' });
    const before = await ids(page);
    const live = page.waitForResponse((response) => response.url().includes('/platformapi/alerts?'));
    await service.sendAlert();
    await live;
    expect(await ids(page)).toEqual(before);
  });

  test('shows an analyst only one organization, without an organization filter', async () => {
    const { api_key: key } = await service.createKey('analyst', SOUGHT.smallOrganization);
    const page = await openPage(service.url, key, { path: '/alerts' });
    for (const id of await ids(page)) expect(id).toMatch(/^ORG-20-/);
    expect(await page.getByRole('combobox', { name: 'Organization' }).count()).toBe(0);
  });

  test('shows an error and retries', async () => {
    const page = await open('/cases');
    await page.getByRole('heading', { name: 'Cases' }).waitFor();
    await page.route('**/platformapi/alerts?*', (route) =>
      route.fulfill({ status: 403, json: { detail: 'The list is under maintenance.' } }),
    );
    await page.getByRole('link', { name: 'Alerts', exact: true }).click();
    await page.getByRole('alert').getByText('The list is under maintenance.').waitFor();
    await expectAccessible(page);
    await page.unroute('**/platformapi/alerts?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await rows(page).first().waitFor();
  });

  // The tests of every page and of the list of cases check the contrast on this screen, with fewer rows.
  test.each(FURTHER_LOOKS)('fits a narrow screen, as the list of cases does', async ({ viewport }) => {
    const page = await open('/alerts', { viewport });
    await rows(page).first().waitFor();
    await expectNoSidewaysScroll(page);
    await page.goto('/cases');
    await page.getByRole('table', { name: 'Cases' }).waitFor();
    await expectNoSidewaysScroll(page);
  });

  test.each(
    selectLooks([
      [1280, 'light'],
      [1440, 'dark'],
    ]),
  )('shows 25 rows of one line at %d px, without sideways scrolling', async (width, colorScheme) => {
    const page = await open('/alerts', { viewport: { width, height: 1080 }, colorScheme });
    await rows(page).nth(49).waitFor();
    await expectNoSidewaysScroll(page);
    const list = page.getByRole('region', { name: 'Alerts' });
    const [scrollWidth, clientWidth] = await list.evaluate((element) => [element.scrollWidth, element.clientWidth]);
    expect(scrollWidth).toBe(clientWidth);
    const bottom = (await list.boundingBox().then((box) => box && box.y + box.height)) ?? 0;
    const boxes = await Promise.all((await rows(page).all()).map((row) => row.boundingBox()));
    for (const box of boxes) expect(box?.height).toBeLessThan(32);
    expect(boxes.filter((box) => box !== null && box.y + box.height <= Math.min(bottom, 1080)).length).toBeGreaterThanOrEqual(25);
    const header = page.getByRole('columnheader', { name: 'STATUS' });
    const before = await header.boundingBox();
    await rows(page).last().scrollIntoViewIfNeeded();
    expect((await header.boundingBox())?.y).toBe(before?.y);
    await expectAccessible(page);
  });

  test('sorts by a column with the keyboard, and keeps the order in the address', async () => {
    const page = await open();
    await rows(page).first().waitFor();
    const header = page.getByRole('columnheader', { name: 'STATUS' });
    await header.getByRole('button').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/sort=-status/);
    await waitFor('the failed alerts to come first', async () => (await rows(page).first().textContent())?.includes('Failed') === true);
    expect(await header.getAttribute('aria-sort')).toBe('descending');
    await page.keyboard.press('Enter');
    await page.waitForURL(/sort=status/);
    await waitFor('the alerts under investigation to come first', async () =>
      /Created|Submitted|Inprogress/.test((await rows(page).first().textContent()) ?? ''),
    );
    const [first] = await ids(page);
    await page.getByRole('button', { name: 'Older' }).click();
    await page.waitForURL(/cursor=/);
    await waitFor('the next page', async () => (await ids(page))[0] !== first);
    await rows(page).first().getByText('Inprogress').waitFor();
  });

  test('hides columns, and the browser remembers them', async () => {
    const page = await open();
    await rows(page).first().waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'INVESTIGATOR' }).uncheck();
    await page.keyboard.press('Escape');
    const shown = COLUMNS.filter((name) => name !== 'INVESTIGATOR');
    expect(await page.getByRole('columnheader').allTextContents()).toEqual(shown);
    await page.reload();
    await rows(page).first().waitFor();
    expect(await page.getByRole('columnheader').allTextContents()).toEqual(shown);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'INVESTIGATOR' }).check();
  });

  test('opens an alert with a click on its row, and with the keyboard', async () => {
    const page = await open();
    const [first = '', second = ''] = await ids(page);
    await rows(page).first().locator('td').last().click();
    await page.waitForURL(`**/alerts/${first}`);
    await page.goBack();
    await rows(page).first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/alerts/${second}`);
  });

  test('loads at most 200 kB of pages, scripts and styles', async () => {
    const { api_key: key } = await service.createPerson('admin', null);
    const page = await openPage(service.url, key, { path: '/alerts' });
    await rows(page).nth(49).waitFor();
    await page.getByRole('button', { name: 'Inbox, no unread entries' }).waitFor();
    const loaded = await page.evaluate<{ url: string; bytes: number }[]>(
      "['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type)).map(({ name, encodedBodySize }) => ({ url: name, bytes: encodedBodySize }))",
    );
    // The data of the list has no fixed size.
    const files = loaded.filter(({ url }) => !url.includes('/platformapi/'));
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(total, files.map(({ url, bytes }) => `${bytes} ${url}`).join('\n')).toBeLessThanOrEqual(200_000);
    expect(total).toBeGreaterThan(100_000);
  });
});
