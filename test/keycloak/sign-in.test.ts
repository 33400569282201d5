import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../local/ports.js';
import { createLogger } from '../../platform/log.js';
import { type Keycloak, startKeycloak } from '../servers/keycloak.js';
import { describeInBrowser, newPage } from '../support/dashboard.js';
import { startTestService, type TestService } from '../support/service.js';
import { inviteAndJoin, PASSWORD } from '../support/users.js';

const CLIENT = { id: 'alert-investigator', secret: 'the secret of the client' };
const FOLDER = mkdtempSync(path.join(tmpdir(), 'alert-investigator-keycloak-'));

let keycloak: Keycloak;
let service: TestService;
let groups: Record<'soc-analysts' | 'soc-admins', string>;

beforeAll(async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  keycloak = await startKeycloak({ folder: FOLDER, log: createLogger('info', 'keycloak') });
  await keycloak.admin('POST', '/clients', {
    clientId: CLIENT.id,
    secret: CLIENT.secret,
    redirectUris: [`${url}/platformapi/session/provider/callback`],
    attributes: { 'pkce.code.challenge.method': 'S256' },
    protocolMappers: [
      {
        name: 'groups',
        protocol: 'openid-connect',
        protocolMapper: 'oidc-group-membership-mapper',
        config: { 'claim.name': 'groups', 'full.path': 'false', 'id.token.claim': 'true' },
      },
    ],
  });
  groups = {
    'soc-analysts': await keycloak.admin('POST', '/groups', { name: 'soc-analysts' }),
    'soc-admins': await keycloak.admin('POST', '/groups', { name: 'soc-admins' }),
  };
  service = await startTestService({
    worker: false,
    dashboard: true,
    env: {
      PORT: new URL(url).port,
      PUBLIC_URL: url,
      OIDC_ISSUER: keycloak.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
    },
  });
  const map = (value: string, role: string) =>
    service.request('POST', '/platformapi/claim-mappings', { body: { claim: 'groups', value, role, organization_code: 'DEMO' } });
  await map('soc-analysts', 'analyst');
  await map('soc-admins', 'admin');
});
afterAll(async () => {
  await service?.stop();
  await keycloak?.stop();
  rmSync(FOLDER, { recursive: true, force: true });
});

async function createUser(username: string, ...memberships: (keyof typeof groups)[]): Promise<string> {
  const uuid = await keycloak.admin('POST', '/users', {
    username,
    email: `${username}@corp.example`,
    emailVerified: true,
    firstName: username,
    lastName: 'Corp',
    enabled: true,
    credentials: [{ type: 'password', value: PASSWORD, temporary: false }],
  });
  for (const group of memberships) await keycloak.admin('PUT', `/users/${uuid}/groups/${groups[group]}`);
  return uuid;
}

async function signIn(page: Page, username: string): Promise<void> {
  await page.context().clearCookies();
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Continue with single sign-on' }).click();
  await page.getByLabel('Username or email').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

const pages = (page: Page) => page.getByRole('navigation', { name: 'Pages' });

describeInBrowser('the sign-in with Keycloak', () => {
  test('gives the role of a group, and ends it with the membership', async () => {
    const uuid = await createUser('dana', 'soc-analysts');
    const page = await newPage(service.url);
    await signIn(page, 'dana');
    await pages(page).waitFor();
    const { body } = await service.request<{ memberships: { role: string; organization_code: string }[] }>('GET', '/platformapi/session', {
      key: (await page.context().cookies()).find(({ name }) => name === 'Session')?.value ?? '',
    });
    expect(body.memberships).toMatchObject([{ role: 'analyst', organization_code: 'DEMO' }]);

    await keycloak.admin('DELETE', `/users/${uuid}/groups/${groups['soc-analysts']}`);
    await signIn(page, 'dana');
    await page.getByText('Your account has no role here.').waitFor();
  });

  test('refuses a user without a mapped group', async () => {
    await createUser('visitor');
    const page = await newPage(service.url);
    await signIn(page, 'visitor');
    await page.getByText('Your account has no role here.').waitFor();
  });

  test('lets a local admin sign in while Keycloak is away', async () => {
    const { email } = await inviteAndJoin(service, 'admin');
    await keycloak.stop();
    const page = await newPage(service.url);
    await page.goto('/sign-in');
    await page.getByLabel('Email address').fill(email);
    await page.locator('input[type=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await pages(page).waitFor();
  });
});
