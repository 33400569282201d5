import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  describeInBrowser,
  expectAccessible,
  expectNoSidewaysScroll,
  FURTHER_LOOKS,
  newPage,
  openPage,
  signIn,
} from '../support/dashboard.js';
import { startTestService, type TestService } from '../support/service.js';

describeInBrowser('the sign-in', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ dashboard: true, worker: false });
  });
  afterAll(() => service?.stop());

  test('ends the session on sign-out', async () => {
    const page = await openPage(service.url, service.adminKey, { path: '/cases' });
    await page.getByRole('button', { name: /^Signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    expect(await page.context().cookies()).toEqual([]);
    await page.goto('/cases');
    await page.waitForURL('**/sign-in?to=*');
    await expectAccessible(page);
  });

  test('asks for a key again after it is revoked', async () => {
    const { api_key: key, key_uuid: keyUuid } = await service.createKey('analyst');
    const page = await openPage(service.url, key, { path: '/alerts' });
    await page.getByRole('heading', { name: 'Alerts' }).waitFor();
    await service.request('DELETE', `/platformapi/api-keys/${keyUuid}`);
    await page.getByRole('searchbox', { name: 'Search alerts' }).fill('anything');
    await page.waitForURL('**/sign-in?to=*');
    await signIn(page, service.adminKey, '/alerts');
  });

  test.each(FURTHER_LOOKS)('fits a narrow screen in dark mode', async (look) => {
    const page = await newPage(service.url, look);
    await page.goto('/sign-in');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await signIn(page, service.adminKey);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Integrations' }).click();
    await page.getByRole('heading', { name: 'Integrations' }).waitFor();
  });

  test('shows an error for a record that does not exist', async () => {
    const page = await openPage(service.url, service.adminKey, { path: '/cases/DEMO-CASE-4711' });
    await page.getByRole('alert').getByText('case with this id', { exact: false }).waitFor();
    await page.goto('/alerts/DEMO-SIEM-4711');
    await page.getByRole('alert').getByText('alert with this id', { exact: false }).waitFor();
  });

  test('explains an address without a page, and offers a way past the menu', async () => {
    const page = await openPage(service.url, service.adminKey, { path: '/' });
    const response = await page.goto('/no-such-page');
    expect(response?.status()).toBe(404);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(await page.title()).toBe('Page not found · Alert investigator');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Go to the overview' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const skip = page.getByRole('link', { name: 'Skip to content' });
    await skip.focus();
    await page.keyboard.press('Enter');
    await page.locator('#content:focus').waitFor();
    const problem = await fetch(`${service.url}/no-such-page`);
    expect(problem.headers.get('content-type')).toContain('application/problem+json');
    const api = await fetch(`${service.url}/platformapi/none`, { headers: { accept: 'text/html' } });
    expect(api.headers.get('content-type')).toContain('application/problem+json');
  });
});
