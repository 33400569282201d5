import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CaseDetail } from '../../domain/case/case.js';
import { describeInBrowser, expectUsable, newPage, openPage, SCREENS, untilSignedIn } from '../support/dashboard.js';
import { choose, expectFocus, press, pressItem, skipToContent, write } from '../support/keyboard.js';
import { startTestService, type TestService, waitFor } from '../support/service.js';
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
    const openCasesOf = async ({ host, slight }: { host: string; slight: string }) => {
      const page = await openOnScreen(`/cases?text=${host}`);
      // The boxes load after the rows.
      await page.getByRole('checkbox', { name: `Select ${slight}` }).waitFor();
      return page;
    };

    test('to sign in with a key', async () => {
      const page = await newPage(service.url, screen);
      await page.goto('/sign-in');
      await press(page, button(page, 'Use a key'));
      await write(page, page.getByLabel('API key'), service.adminKey);
      await expectUsable(page);
      await page.keyboard.press('Enter');
      await untilSignedIn(page);
    });

    test('to find a host, and all its alerts', async () => {
      const { host } = await openList('sought');
      const page = await openOnScreen('/');
      await page.keyboard.press('Control+K');
      await page.getByRole('textbox', { name: 'Search text' }).waitFor();
      await page.keyboard.type(host.slice(1, -3));
      await page.getByRole('button', { name: host }).first().waitFor();
      await expectUsable(page);
      await page.keyboard.press('Enter');
      await rows(page, 'Entity alerts').nth(2).waitFor();
      await expectUsable(page);
      await press(page, rows(page, 'Entity alerts').first().getByRole('link').first());
      // The evidence moves the entities down the page when it arrives.
      await page.getByText('Known address').waitFor();
      await press(page, page.getByRole('link', { name: host }).first());
      await rows(page, 'Entity alerts').nth(2).waitFor();
    });

    test('to filter and sort the cases', async () => {
      const { host, grave } = await openList('filtered');
      const page = await openOnScreen('/cases');
      await skipToContent(page);
      await write(page, page.getByRole('searchbox', { name: 'Search cases' }), host);
      await waitFor('the cases of the host', async () => (await rows(page, 'Cases').count()) === 3);
      await choose(page, page.getByRole('combobox', { name: 'Status' }), /^Open/);
      await page.waitForURL(/status=open/);
      await press(page, page.getByRole('columnheader', { name: 'Severity' }).getByRole('button'));
      await page.waitForURL(/sort=-severity/);
      await waitFor('the grave case to come first', async () => (await rows(page, 'Cases').first().textContent())?.includes(grave));
      await expectUsable(page);
    });

    test('to close two cases, and undo it', async () => {
      const cases = await openList('closed');
      const page = await openCasesOf(cases);
      for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
      await page.getByText('2 selected').waitFor();
      await page.keyboard.press('e');
      await page.locator('[role=menuitem]:focus', { hasText: 'False positive' }).waitFor();
      await expectUsable(page);
      await page.keyboard.press('Enter');
      await page.getByText('Close as false positive: 2 of 2 cases changed').waitFor();
      await expectUsable(page);
      for (const caseId of [cases.grave, cases.newest]) expect(await read(caseId)).toMatchObject({ classification: 'false_positive' });
      await press(page, button(page, 'Undo'));
      await page.getByText('Undo: Close as false positive: 2 of 2 cases changed').waitFor();
      for (const caseId of [cases.grave, cases.newest]) expect(await read(caseId)).toMatchObject({ status: 'open', classification: null });
    });

    test('to investigate a case again', async () => {
      const cases = await openList('again');
      const page = await openCasesOf(cases);
      for (const key of ['j', 'j', 'j', 'x']) await page.keyboard.press(key);
      await page.getByText('1 selected').waitFor();
      await press(page, button(page, 'Investigate again…'));
      await dialog(page).getByText('You cannot undo this.').waitFor();
      await expectUsable(page);
      await press(page, dialog(page).getByRole('button', { name: 'Investigate' }));
      await page.getByText('Investigate again: 1 of 1 case changed').waitFor();
      expect(await read(cases.slight)).toMatchObject({ status: 'open' });
    });

    test('to take a case, close it, and open it again', async () => {
      const cases = await openList('taken');
      const page = await openCasesOf(cases);
      for (const key of ['j', 'j', 'k']) await page.keyboard.press(key);
      await expectFocus(page, rows(page, 'Cases').first().getByRole('link').first());
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/cases/${cases.newest}`);
      await button(page, 'Assign to me').waitFor();
      await page.keyboard.press('a');
      await page.getByText('In progress', { exact: true }).waitFor();
      await page.keyboard.press('e');
      await page.locator('[role=menuitem]:focus', { hasText: 'False positive' }).waitFor();
      await expectUsable(page);
      await page.keyboard.press('Enter');
      await page.getByText('Analyst verdict: benign').waitFor();
      await pressItem(page, button(page, 'Actions'), 'Reopen', () => expectUsable(page));
      await page.getByText('Open', { exact: true }).waitFor();
      expect(await read(cases.newest)).toMatchObject({ status: 'open', classification: null });
    });
  });
});
