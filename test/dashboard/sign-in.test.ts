import { afterAll, beforeAll, expect, test } from 'vitest';
import { asService } from '../../services/context.js';
import { createSetUpLink } from '../../services/invitations/create-set-up-link.js';
import { describeInBrowser, expectAccessible, newPage, signIn } from '../support/dashboard.js';
import { startTestService, type TestService } from '../support/service.js';
import { PASSWORD } from '../support/users.js';

describeInBrowser('the sign-in', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ dashboard: true, worker: false });
  });
  afterAll(() => service?.stop());

  test('shows why a key is rejected and returns to the requested page', async () => {
    const page = await newPage(service.url);
    await page.goto('/alerts?status=20');
    await page.waitForURL('**/sign-in?to=*');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Use a key' }).click();
    const enter = async (key: string) => {
      await page.getByLabel('API key').fill(key);
      await page.getByRole('button', { name: 'Sign in' }).click();
    };
    await enter('ai_not-a-key');
    await page.getByRole('alert').getByText('unknown, expired or revoked', { exact: false }).waitFor();
    await expectAccessible(page);
    await enter((await service.createKey('sender')).api_key);
    await page.getByRole('alert').getByText('can only send alerts', { exact: false }).waitFor();
    await enter(service.adminKey);
    await page.waitForURL('**/alerts?status=20');
    await page.getByRole('heading', { name: 'Alerts' }).waitFor();
  });

  test('hides the key from scripts and allows only our own files to run', async () => {
    const page = await newPage(service.url);
    await signIn(page, service.adminKey);
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: 'Session', httpOnly: true, sameSite: 'Strict' });
    expect(await page.evaluate<string>('document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain(
      service.adminKey,
    );
    const response = await page.goto('/');
    const policy = response?.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("frame-ancestors 'none'");
  });

  test('does not redirect to another site', async () => {
    const page = await newPage(service.url);
    await signIn(page, service.adminKey, '//elsewhere.example/alerts');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(new URL(page.url()).origin).toBe(service.url);
  });

  test('lets the first admin set up an account, invite a person, and end the sessions of that person', async () => {
    const token = (await createSetUpLink(asService(service.database.db))) ?? '';
    const page = await newPage(service.url);
    await page.goto(`/join#${token}`);
    await page.getByLabel('Name').fill('Ada Admin');
    await page.locator('input[type=password]').fill('too short');
    await page.getByLabel('Email address').fill('ada@demo.example');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('must have at least 12 characters', { exact: false }).first().waitFor();
    await expectAccessible(page);
    await page.locator('input[type=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('button', { name: 'Signed in as Ada Admin' }).waitFor();

    await page.goto('/settings?tab=users');
    await page.getByRole('button', { name: 'Invite person' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('dana@demo.example');
    await dialog.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'analyst', exact: true }).click();
    await dialog.getByRole('combobox', { name: 'Organization' }).click();
    await page.getByRole('option', { name: 'DEMO', exact: true }).click();
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    const link = await page.locator('code', { hasText: '/join#in_' }).innerText();
    await expectAccessible(page);

    const other = await newPage(service.url.replace('127.0.0.1', 'localhost'));
    await other.goto(link.replace('127.0.0.1', 'localhost'));
    await other.getByLabel('Name').fill('Dana Vries');
    await other.locator('input[type=password]').fill(PASSWORD);
    await other.getByRole('button', { name: 'Create account' }).click();
    await other.getByRole('button', { name: 'Signed in as Dana Vries' }).waitFor();
    await page.reload();
    const end = page.getByRole('button', { name: 'End a session of Dana Vries' });
    await end.click();
    await end.waitFor({ state: 'detached' });
    await other.goto('/alerts');
    await other.waitForURL('**/sign-in?to=*');
    await other.getByLabel('Email address').fill('dana@demo.example');
    await other.locator('input[type=password]').fill('a wrong password');
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('alert').getByText('is wrong', { exact: false }).waitFor();
    await other.locator('input[type=password]').fill(PASSWORD);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.waitForURL('**/alerts');

    await page.reload();
    await page.getByRole('button', { name: 'Deactivate Dana Vries' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate', exact: true }).click();
    await page.getByText('Deactivated', { exact: true }).waitFor();
    await other.goto('/alerts');
    await other.waitForURL('**/sign-in?to=*');
  });
});
