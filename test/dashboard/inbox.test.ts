import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { investigate } from '../api/support/records.js';
import { describeInBrowser, expectAccessible, expectNoSidewaysScroll, FURTHER_LOOKS, openPage } from '../support/dashboard.js';
import { startTestService, type TestService, waitFor } from '../support/service.js';

type Person = Awaited<ReturnType<TestService['createPerson']>>;
interface Shown {
  readonly title: string;
  readonly tag: string;
}

/**
 * Keeps each notification that the page asks for. The headless browser answers a request for permission, but then always reports
 * `denied` and shows nothing, so the answer is kept for all tabs.
 */
const RECORD_NOTIFICATIONS = `
  window.shown = [];
  window.Notification = class extends Notification {
    static get permission() {
      return localStorage.getItem('permission') ?? 'default';
    }
    static async requestPermission() {
      const answer = await super.requestPermission();
      localStorage.setItem('permission', answer);
      return answer;
    }
    constructor(title, options) {
      super(title, options);
      window.shown.push({ title, tag: options.tag });
      window.lastNotification = this;
    }
  };`;

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

  test.each(FURTHER_LOOKS)('fits a narrow screen in dark mode', async (look) => {
    const page = await open(dana, look);
    await page.getByRole('button', { name: /^Inbox/ }).click();
    await page.getByRole('dialog', { name: 'Inbox' }).getByRole('link').first().waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  test('is missing for the key of a service', async () => {
    const page = await openPage(service.url, service.adminKey);
    await page.getByRole('button', { name: /^Signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Notifications' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Inbox/ }).count()).toBe(0);
  });

  test('follows the preferences of the user', async () => {
    const page = await open(ines);
    await page.getByRole('button', { name: /^Signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'Notifications' }).click();
    const dialog = page.getByRole('dialog', { name: 'Notification preferences' });
    await dialog.getByRole('combobox', { name: 'Comments', exact: true }).click();
    await page.getByRole('option', { name: 'All', exact: true }).click();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { body } = await service.request('GET', '/platformapi/inbox/preferences', { key: ines?.api_key ?? '' });
    expect(body).toMatchObject({ browser_notifications: false, groups: { comments: { wanted: 'all' } } });
    await update(dana, { comment: 'For everyone.' });
    await bell(page, 'Inbox, 1 unread').waitFor();
  });

  test('shows a new entry as one notification of the browser, which opens it', async () => {
    const person = await service.createPerson('analyst');
    await update(ines, { assignee: person.name });
    const page = await openPage(service.url, person.api_key);
    const context = page.context();
    await context.addInitScript(RECORD_NOTIFICATIONS);
    const tabs = [page, await context.newPage()];
    await Promise.all(tabs.map((tab) => tab.goto('/')));
    await bell(page, 'Inbox, 1 unread').click();
    await page.getByRole('button', { name: 'Preferences' }).click();
    const dialog = page.getByRole('dialog', { name: 'Notification preferences' });
    const toggle = dialog.getByRole('switch', { name: 'Show browser notifications' });
    const readPermission = () => page.evaluate<string>('Notification.permission');
    await toggle.waitFor({ state: 'attached' });
    expect(await readPermission()).toBe('default');
    await toggle.click({ force: true });
    await dialog.getByRole('alert').getByText('does not allow notifications', { exact: false }).waitFor();
    await expectAccessible(page);
    await context.grantPermissions(['notifications'], { origin: service.url });
    await toggle.click({ force: true });
    await toggle.click({ force: true });
    await dialog.getByRole('alert').waitFor({ state: 'detached' });
    await waitFor('the permission', async () => (await readPermission()) === 'granted');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const listShown = (tab: Page) => tab.evaluate<Shown[]>('window.shown');
    // Both tabs know the old entry before the new one arrives.
    await Promise.all(tabs.flatMap((tab) => [tab.waitForResponse(/inbox\?unread=true/), tab.reload()]));
    await update(ines, { comment: 'New.' });
    for (const tab of tabs) await waitFor('the notification', async () => (await listShown(tab)).length === 1);
    const [one, other] = await Promise.all(tabs.map(listShown));
    expect(one).toEqual([{ title: `New comment on case ${caseId}`, tag: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);
    expect(other).toEqual(one);
    await page.evaluate("window.lastNotification.dispatchEvent(new Event('click'))");
    await page.waitForURL(`**/cases/${caseId}`);
    await bell(page, 'Inbox, 1 unread').waitFor();
  });
});
