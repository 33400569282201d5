import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CaseDetail } from '../../domain/case/case.js';
import { proposeIsolation } from '../api/support/records.js';
import { describeInBrowser, expectUsable, NARROW, openPage, SCREENS } from '../support/dashboard.js';
import { expectFocus, press, pressItem, skipToContent } from '../support/keyboard.js';
import { startTestService, type TestService } from '../support/service.js';
import { storeConnection } from '../support/stored-connection.js';
import { openCasesOnHost } from './support/triage-cases.js';

describeInBrowser('the daily triage', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ dashboard: true, worker: false });
  });
  afterAll(() => service?.stop());

  const dialog = (page: Page) => page.getByRole('dialog');
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const rows = (page: Page, table: string) => page.getByRole('table', { name: table }).locator('tbody tr');
  const read = async (caseId: string) => (await service.request<CaseDetail>('GET', `/platformapi/cases/${caseId}`)).body;

  describe.each(SCREENS)('needs no mouse at $viewport.width px', (screen) => {
    /** Cases of a host of their own, from the oldest to the newest. */
    const openList = async (purpose: string) => {
      const host = `${purpose}-${screen.viewport.width}.harbour.example`;
      const [slight = '', grave = '', newest = ''] = await openCasesOnHost(service, host, [-60, 80, 20]);
      return { host, slight, grave, newest };
    };
    const openOnScreen = (path: string) => openPage(service.url, service.adminKey, { path, ...screen });

    test('to save a view, and the focus returns to the menu', async () => {
      const page = await openOnScreen('/cases?status=open');
      await skipToContent(page);
      const views = button(page, 'Views');
      await pressItem(page, views, 'Save current view…', () => expectUsable(page));
      await expectFocus(page, dialog(page).getByLabel('Name'));
      await page.keyboard.type(`Open at ${screen.viewport.width}`);
      await expectUsable(page);
      await page.keyboard.press('Enter');
      await dialog(page).waitFor({ state: 'detached' });
      await expectFocus(page, views);
    });

    test('to open the menu of the account and the list of shortcuts', async () => {
      const { newest } = await openList('account');
      const page = await openOnScreen(`/cases/${newest}`);
      await button(page, 'Assign to me').waitFor();
      const account = page.getByRole('button', { name: /^Signed in as/ });
      await press(page, account);
      await page.locator('[role=menuitem]:focus').waitFor();
      await expectUsable(page);
      await page.keyboard.press('Escape');
      await expectFocus(page, account);
      await page.keyboard.press('Shift+?');
      await dialog(page).getByText('Close the case').waitFor();
      await expectUsable(page);
      await page.keyboard.press('Escape');
      await expectFocus(page, account);
    });
  });

  test('opens the menu of the pages on a phone, and hides it from the keyboard while it is closed', async () => {
    const page = await openPage(service.url, service.adminKey, { path: '/cases', viewport: NARROW });
    expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0);
    await press(page, button(page, 'Menu'));
    await expectUsable(page);
    await press(page, page.getByRole('link', { name: 'Settings' }));
    await page.getByRole('tab', { name: 'Organizations' }).waitFor();
    expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0);
  });

  test('takes at most 3 clicks to close as a false positive or to approve, and 2 to all alerts of a host', async () => {
    const host = 'clicked.harbour.example';
    const [caseId = ''] = await openCasesOnHost(service, host, [80]);
    const { alert_ids: [alertId = ''] = [] } = await read(caseId);
    const connectionId = await storeConnection(service.database.db, { name: 'Endpoints' });
    await proposeIsolation(service, alertId, connectionId);
    const page = await openPage(service.url, service.adminKey, { path: `/cases?text=${host}` });
    await page.evaluate("window.clicks = 0; addEventListener('click', () => { window.clicks += 1 }, true)");
    const expectClicks = async (most: number) => {
      expect(await page.evaluate<number>('window.clicks')).toBeLessThanOrEqual(most);
      expect(await page.evaluate<number>('window.clicks')).toBeGreaterThan(0);
      await page.evaluate('window.clicks = 0');
    };
    await page.getByRole('link', { name: 'Malware on clicked' }).click();
    await button(page, 'Approve').click();
    await dialog(page).getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Approved', { exact: true }).waitFor();
    await expectClicks(3);
    await page.getByRole('link', { name: host }).first().click();
    await rows(page, 'Entity alerts').first().waitFor();
    await expectClicks(2);
    await page.goBack();
    await page.goBack();
    await page.getByRole('link', { name: 'Malware on clicked' }).click();
    await button(page, 'Close').click();
    await page.getByRole('menuitem', { name: 'False positive' }).click();
    await page.getByText('Analyst verdict: benign').waitFor();
    await expectClicks(3);
  });
});
