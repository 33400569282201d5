import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ThirdParties } from '../../connectors/stand-ins.js';
import {
  describeInBrowser,
  expectAccessible,
  expectNoSidewaysScroll,
  NARROW,
  newPage,
  openPage,
  selectLooks,
} from '../support/dashboard.js';
import { inDays } from '../support/rows.js';
import type { TestService } from '../support/service.js';
import { createConnection, startWithThirdParties, type WithThirdParties } from '../support/with-third-parties.js';

const INTELLIGENCE = '/integrations/threat-intelligence?tab=connections';

describeInBrowser('the credentials of a connection', () => {
  let service: TestService;
  let thirdParties: ThirdParties;
  let stop: WithThirdParties['stop'];

  beforeAll(async () => {
    ({ service, thirdParties, stop } = await startWithThirdParties({ dashboard: true }));
  });
  afterAll(() => stop?.());

  const dialog = (page: Page): Locator => page.getByRole('dialog');
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  test('of a new connection come from the customer with a link that works once', async () => {
    const { state, url } = thirdParties.standIns.threatIntelligence;
    const page = await openPage(service.url, service.adminKey, { path: INTELLIGENCE });
    await press(page, 'Ask the customer for credentials');
    await dialog(page).getByRole('combobox', { name: 'Organization' }).click();
    await page.getByRole('option', { name: 'DEMO', exact: true }).click();
    await dialog(page).getByRole('region', { name: 'Authentication details' }).waitFor();
    await dialog(page).getByLabel('Instance name').fill('From the customer');
    await dialog(page).getByLabel('API host').fill(url);
    expect(await dialog(page).getByLabel('API Key').count()).toBe(0);
    await expectAccessible(page);
    await press(page, 'Create link');
    const link = (await dialog(page).locator('code').textContent()) ?? '';
    expect(link).toMatch(new RegExp(`^${service.url}/handover#link_[\\w-]{43}$`));
    await dialog(page).getByRole('button', { name: 'Copy' }).waitFor();
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Close' }).last().click();
    const card = page.getByRole('article', { name: 'From the customer' });
    await card.getByText('Waiting for credentials from the customer', { exact: false }).waitFor();
    await expectAccessible(page);

    const requested: string[] = [];
    const customer = await newPage(service.url);
    customer.on('request', (request) => requested.push(request.url(), request.headers()['referer'] ?? ''));
    await customer.goto(link);
    await customer.getByText('Demo organization', { exact: false }).first().waitFor();
    for (const colorScheme of selectLooks(['light', 'dark'])) {
      await customer.emulateMedia({ colorScheme });
      for (const viewport of [{ width: 1440, height: 900 }, NARROW]) {
        await customer.setViewportSize(viewport);
        await expectNoSidewaysScroll(customer);
      }
      await expectAccessible(customer);
    }
    await customer.getByRole('region', { name: 'Set up at the third party' }).getByRole('listitem').first().waitFor();
    await customer.getByRole('region', { name: 'Where the service uses the credentials' }).getByText(url, { exact: false }).waitFor();
    await press(customer, 'Send credentials');
    await customer.getByText('API Key is required').waitFor();
    await customer.getByLabel('API Key').fill(state.apiKey);
    await customer.getByLabel('Secret expires on').fill(inDays(20));
    await press(customer, 'Send credentials');
    await customer.getByText('Thank you').waitFor();
    await expectAccessible(customer);
    expect(requested.join(' ')).not.toContain('link_');
    expect(await customer.content()).not.toContain(state.apiKey);
    await customer.reload();
    await customer.getByRole('alert').getByText('used already', { exact: false }).waitFor();
    await expectAccessible(customer);

    // The page of the staff follows: the connection exists, and its test ran in the background.
    await card.getByText('working', { exact: true }).waitFor();
    await card.getByText('Secret expires in 20 days').waitFor();
    expect(await page.content()).not.toContain(state.apiKey);
  });

  test('of a connection are asked for again, and the link is revoked', async () => {
    await createConnection(service, { instance_name: 'Asked again', ...thirdParties.connections.threatIntelligence });
    const page = await openPage(service.url, service.adminKey, { path: INTELLIGENCE, viewport: NARROW });
    const card = page.getByRole('article', { name: 'Asked again' });
    await card.getByRole('button', { name: 'Ask the customer' }).click();
    await dialog(page).getByRole('combobox', { name: 'The link is valid for' }).click();
    await page.getByRole('option', { name: '7 days' }).click();
    await press(page, 'Create link');
    const link = (await dialog(page).locator('code').textContent()) ?? '';
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Close' }).last().click();
    await card.getByText('first admin created the link', { exact: false }).waitFor();
    await expectNoSidewaysScroll(page);

    const { api_key: analyst } = await service.createKey('analyst');
    const reader = await openPage(service.url, analyst, { path: INTELLIGENCE });
    await reader.getByRole('article', { name: 'Asked again' }).getByText('created the link', { exact: false }).waitFor();
    expect(await reader.getByRole('button', { name: 'Revoke link' }).count()).toBe(0);
    expect(await reader.getByRole('button', { name: 'Ask the customer' }).count()).toBe(0);

    await card.getByRole('button', { name: 'Revoke link' }).click();
    await dialog(page).getByRole('button', { name: 'Revoke' }).click();
    await card.getByText('created the link', { exact: false }).waitFor({ state: 'detached' });
    const customer = await newPage(service.url, { viewport: NARROW });
    await customer.goto(link);
    await customer.getByRole('alert').getByText('was revoked', { exact: false }).waitFor();
    await customer.goto('/handover');
    await customer.getByRole('alert').getByText('This link is unknown', { exact: false }).waitFor();
    await expectAccessible(customer);
  });
});
