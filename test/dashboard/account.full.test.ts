import { generate } from 'otplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../local/ports.js';
import { createOrganization } from '../api/support/records.js';
import { describeInBrowser, dropSession, expectAccessible, newPage, openPage } from '../support/dashboard.js';
import { startIdentityProvider } from '../support/identity-provider.js';
import { startTestService, type TestService } from '../support/service.js';
import { inviteAndJoin, PASSWORD } from '../support/users.js';

let service: TestService;
let provider: Awaited<ReturnType<typeof startIdentityProvider>>;

describeInBrowser('an account', () => {
  beforeAll(async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    provider = await startIdentityProvider(`${url}/platformapi/session/provider/callback`);
    const env = { PORT: new URL(url).port, PUBLIC_URL: url, ...provider.env };
    service = await startTestService({ dashboard: true, worker: false, env });
    await createOrganization(service, 'OTHER');
  });
  afterAll(async () => {
    await service?.stop();
    await provider?.stop();
  });

  /** The code of this step, or of a later one. Both are still valid when the next step begins before they arrive. */
  const codeAt = (secret: string, steps: 0 | 1) => generate({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 });

  test('changes its password, confirms the identity, and connects an app where the organization requires it', async () => {
    await createOrganization(service, 'STRICT');
    const { email, session, name } = await inviteAndJoin(service, 'admin', 'STRICT');
    const page = await openPage(service.url, session);
    const dialog = page.getByRole('dialog');
    const choose = async (item: string) => {
      await page.getByRole('button', { name: `Signed in as ${name}` }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await choose('Change password');
    await dialog.getByLabel('Current password').fill(PASSWORD);
    await dialog.getByLabel('New password').fill('another long password');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await dialog.waitFor({ state: 'detached' });
    await choose('Confirm that it is you');
    await dialog.locator('input[type=password]').fill('another long password');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.waitFor({ state: 'detached' });

    const policy = { requires_two_factor: true };
    expect((await service.request('PUT', '/platformapi/organizations/STRICT/sign-in-policy', { body: policy })).status).toBe(200);
    await dropSession(page);
    await page.goto('/sign-in');
    await page.getByLabel('Email address').fill(email);
    await page.locator('input[type=password]').fill('another long password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    const secret = await dialog.locator('code').innerText();
    await dialog.getByRole('textbox', { name: 'Code' }).fill(await codeAt(secret, 0));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  test('of the identity provider has the roles of its groups, and selects one of its organizations', async () => {
    const admin = await openPage(service.url, service.adminKey, { path: '/settings?tab=users' });
    for (const [value, organization] of [
      ['soc', 'DEMO'],
      ['soc-other', 'OTHER'],
    ] as const) {
      await admin.getByRole('button', { name: 'Map claim' }).click();
      const dialog = admin.getByRole('dialog');
      await dialog.getByLabel('Claim').fill('groups');
      await dialog.getByLabel('Value').fill(value);
      await dialog.getByRole('combobox', { name: 'Role' }).click();
      await admin.getByRole('option', { name: 'analyst', exact: true }).click();
      await dialog.getByRole('combobox', { name: 'Organization' }).click();
      await admin.getByRole('option', { name: organization, exact: true }).click();
      await expectAccessible(admin);
      await dialog.getByRole('button', { name: 'Map', exact: true }).click();
      await admin.getByRole('button', { name: `Delete the mapping of ${value}`, exact: true }).waitFor();
    }

    provider.state.user = { sub: 'dana', name: 'Dana Corp', email: 'dana@corp.example', groups: ['soc', 'soc-other'] };
    const page = await newPage(service.url);
    await page.goto('/sign-in');
    await page.getByRole('link', { name: 'Continue with single sign-on' }).click();
    await page.getByRole('button', { name: 'Signed in as Dana Corp' }).click();
    const label = page.getByText(/analyst, (DEMO|OTHER)/);
    const before = (await label.innerText()).includes('DEMO') ? 'DEMO' : 'OTHER';
    const after = before === 'DEMO' ? 'OTHER' : 'DEMO';
    await page.getByRole('menuitem', { name: `Switch to ${after}` }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: 'Signed in as Dana Corp' }).click();
    expect(await label.innerText()).toContain(`analyst, ${after}`);

    provider.state.user = { sub: 'visitor', name: 'Visitor', groups: [] };
    await dropSession(page);
    await page.goto('/sign-in');
    await page.getByRole('link', { name: 'Continue with single sign-on' }).click();
    await page.getByRole('alert').getByText('Your account has no role here.', { exact: false }).waitFor();
  });
});
