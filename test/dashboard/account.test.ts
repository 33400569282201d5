import { generate } from 'otplib';
import { afterAll, beforeAll, test } from 'vitest';
import { describeInBrowser, dropSession, expectAccessible, openPage } from '../support/dashboard.js';
import { startTestService, type TestService } from '../support/service.js';
import { inviteAndJoin, PASSWORD } from '../support/users.js';

let service: TestService;

describeInBrowser('an account', () => {
  beforeAll(async () => {
    service = await startTestService({ dashboard: true, worker: false });
  });
  afterAll(() => service?.stop());

  /** The code of this step, or of a later one. Both are still valid when the next step begins before they arrive. */
  const codeAt = (secret: string, steps: 0 | 1) => generate({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 });

  test('turns on two-factor authentication with a QR code, and the sign-in asks for it', async () => {
    const { email, session, name } = await inviteAndJoin(service);
    const page = await openPage(service.url, session);
    await page.getByRole('button', { name: `Signed in as ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Two-factor authentication: off' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    await expectAccessible(page);
    const secret = await dialog.locator('code').innerText();
    await dialog.getByRole('textbox', { name: 'Code' }).fill(await codeAt(secret, 0));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await dialog.waitFor({ state: 'detached' });

    await dropSession(page);
    await page.goto('/sign-in');
    await page.getByLabel('Email address').fill(email);
    await page.locator('input[type=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('textbox', { name: 'Code' }).fill(await codeAt(secret, 1));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: `Signed in as ${name}` }).waitFor();
  });
});
