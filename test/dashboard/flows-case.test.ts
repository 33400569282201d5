import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { describeInBrowser, expectUsable, openPage, SCREENS } from '../support/dashboard.js';
import { expectFocus, openTabByKeys, press, skipToContent, tabTo, write } from '../support/keyboard.js';
import { waitFor } from '../support/service.js';
import { type CaseService, startCaseService } from './support/case-service.js';

describeInBrowser('the work on a case', () => {
  let service: CaseService['service'];
  let proposeChanges: CaseService['proposeChanges'];
  let openCase: CaseService['openCase'];
  let read: CaseService['read'];

  beforeAll(async () => {
    ({ service, proposeChanges, openCase, read } = await startCaseService());
  });
  afterAll(() => service?.stop());

  const dialog = (page: Page) => page.getByRole('dialog');
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  describe.each(SCREENS)('needs no mouse at $viewport.width px', (screen) => {
    const openOnScreen = async (caseId: string) => {
      const page = await openPage(service.url, service.adminKey, { path: `/cases/${caseId}`, ...screen });
      await button(page, 'Actions').waitFor();
      await skipToContent(page);
      return page;
    };
    const openWithProposals = async () => {
      const { alert, caseId } = await openCase();
      await proposeChanges(alert);
      const page = await openOnScreen(caseId);
      return { caseId, page, proposal: (name: string) => page.getByRole('region', { name }) };
    };

    test('to approve a proposal', async () => {
      const { page, proposal } = await openWithProposals();
      await press(page, proposal('Isolate').getByRole('button', { name: 'Approve' }));
      await dialog(page).getByText('Isolate files.north.example').waitFor();
      await expectUsable(page);
      await press(page, dialog(page).getByRole('button', { name: 'Approve' }));
      await proposal('Isolate').getByText('Approved', { exact: true }).waitFor();
      await dialog(page).waitFor({ state: 'detached' });
      await expectFocus(page, page.locator('#content'));
    });

    test('to add a task and mark it as done', async () => {
      const { caseId } = await openCase();
      const page = await openOnScreen(caseId);
      await openTabByKeys(page, /^Tasks/);
      await write(page, page.getByRole('textbox', { name: 'New task' }), 'Call the owner');
      await page.keyboard.press('Enter');
      await page.getByRole('checkbox', { name: 'Call the owner' }).waitFor();
      await tabTo(page, page.getByRole('checkbox', { name: 'Call the owner' }), 'Shift+Tab');
      await page.keyboard.press('Space');
      await page.getByText(/Done by first admin/).waitFor();
      await expectUsable(page);
    });

    test('to write a comment that mentions a person', async () => {
      const { caseId } = await openCase();
      const page = await openOnScreen(caseId);
      await openTabByKeys(page, /^Timeline/);
      await write(page, page.getByRole('textbox', { name: 'Comment' }), 'Ask @rob');
      await page.getByRole('option', { name: 'robin' }).waitFor();
      await expectUsable(page);
      await page.keyboard.press('Enter');
      await page.keyboard.type('about this');
      await press(page, button(page, 'Add comment'));
      await waitFor('the comment', async () => (await read(caseId)).timeline.at(-1)?.mentions.includes('robin'));
      await page.getByText('about this').last().waitFor();
      await expectUsable(page);
    });

    test('to add a tag', async () => {
      const { caseId } = await openCase();
      const page = await openOnScreen(caseId);
      await write(page, page.getByRole('combobox', { name: 'Tags' }), 'Phishing');
      await page.keyboard.press('Enter');
      await waitFor('the tag', async () => (await read(caseId)).tags.includes('phishing'));
    });
  });
});
