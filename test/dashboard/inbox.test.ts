import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { investigate } from '../api/support/records.js';
import { describeInBrowser, expectAccessible, openPage } from '../support/dashboard.js';
import { startTestService, type TestService } from '../support/service.js';

type Person = Awaited<ReturnType<TestService['createPerson']>>;

describeInBrowser('the inbox', () => {
  let service: TestService;
  let caseId: string;
  let [dana, ines]: Person[] = [];

  beforeAll(async () => {
    service = await startTestService({ dashboard: true, worker: false });
    caseId = await investigate(service, await service.sendAlert());
    dana = await service.createPerson('analyst');
    ines = await service.createPerson('analyst');
  });
  afterAll(() => service?.stop());

  const update = (by: Person | undefined, body: object) =>
    service.request('PATCH', `/platformapi/cases/${caseId}`, { key: by?.api_key ?? '', body });
  const bell = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const open = (person: Person | undefined, options: Parameters<typeof openPage>[2] = {}) =>
    openPage(service.url, person?.api_key ?? '', options);

  test('shows the unread count live, opens an entry, and marks all as read', async () => {
    const page = await open(dana);
    await bell(page, 'Inbox, no unread entries').click();
    const drawer = page.getByRole('dialog', { name: 'Inbox' });
    await drawer.getByText('No entries yet').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });

    await update(ines, { assignee: dana?.name });
    await bell(page, 'Inbox, 1 unread').waitFor();
    for (const comment of ['one', 'two']) await update(ines, { comment });
    await bell(page, 'Inbox, 3 unread').click();
    await drawer.getByText('Unread').nth(2).waitFor();
    await expectAccessible(page);
    await drawer.getByRole('link', { name: `Case ${caseId} is assigned to ${dana?.name}` }).click();
    await page.waitForURL(`**/cases/${caseId}`);
    await bell(page, 'Inbox, 2 unread').click();
    await drawer
      .getByRole('button', { name: /^Mark as read: New comment/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Inbox, 1 unread', exact: true, includeHidden: true }).waitFor({ state: 'attached' });
    await drawer.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByRole('button', { name: 'Inbox, no unread entries', exact: true, includeHidden: true }).waitFor({ state: 'attached' });
    expect(await drawer.getByText('Unread').count()).toBe(0);
  });
});
