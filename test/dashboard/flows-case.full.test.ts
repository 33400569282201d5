import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeInBrowser, expectUsable, openPage, SCREENS } from '../support/dashboard.js';
import { expectFocus, openTabByKeys, press, pressItem, skipToContent, write } from '../support/keyboard.js';
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

    test('to refuse a proposal with a reason', async () => {
      const { caseId, page, proposal } = await openWithProposals();
      const refuse = proposal('antivirus scan').getByRole('button', { name: 'Refuse' });
      await press(page, refuse);
      await dialog(page).locator(':focus').waitFor();
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
      await expectFocus(page, refuse);
      await page.keyboard.press('Enter');
      await write(page, dialog(page).getByLabel('Reason'), 'It is the file server.');
      await expectUsable(page);
      await press(page, dialog(page).getByRole('button', { name: 'Refuse' }));
      await dialog(page).waitFor({ state: 'detached' });
      await waitFor('the refusal', async () => (await read(caseId)).proposals.some(({ state }) => state === 'refused'));
      await expectUsable(page);
    });

    test('to add a file', async () => {
      const { caseId } = await openCase();
      const page = await openOnScreen(caseId);
      await openTabByKeys(page, /^Files/);
      const chooser = page.waitForEvent('filechooser');
      await press(page, button(page, 'Add file'));
      await (await chooser).setFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('A note.') });
      await page.getByRole('table', { name: 'Files' }).getByRole('link', { name: 'note.txt' }).waitFor();
      await expectUsable(page);
      const remove = button(page, 'Delete file: note.txt');
      await press(page, remove);
      await dialog(page).getByText('Deletes note.txt').waitFor();
      await expectUsable(page);
      await page.keyboard.press('Escape');
      await expectFocus(page, remove);
    });

    test('to merge the case into another one, and undo it', async () => {
      const [{ alert, caseId }, other] = [await openCase(), await openCase()];
      const page = await openOnScreen(caseId);
      const actions = button(page, 'Actions');
      await pressItem(page, actions, 'Merge into another case…');
      await write(page, dialog(page).getByLabel('Case'), other.caseId);
      await write(page, dialog(page).getByLabel('Reason'), 'The same mail.');
      await expectUsable(page);
      await press(page, dialog(page).getByRole('button', { name: 'Merge' }));
      await page.getByText('Its alerts moved to').waitFor();
      await expectFocus(page, actions);
      await expectUsable(page);
      await pressItem(page, actions, 'Undo merge…');
      await write(page, dialog(page).getByLabel('Reason'), 'Another mail.');
      await expectUsable(page);
      await press(page, dialog(page).getByRole('button', { name: 'Undo merge' }));
      await page.getByText('Its alerts moved to').waitFor({ state: 'detached' });
      await expectFocus(page, actions);
      expect(await read(caseId)).toMatchObject({ merged_into: null, alert_ids: [alert.alert_id] });
    });
  });
});
