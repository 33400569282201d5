import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import type { ThirdParties } from '../../connectors/stand-ins.js';
import type { Connection } from '../../services/connections/wire.js';
import { describeInBrowser, expectAccessible, expectNoSidewaysScroll, NARROW, openPage } from '../support/dashboard.js';
import { changeConnections, inDays } from '../support/rows.js';
import { type TestService, waitFor } from '../support/service.js';
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
  const read = async (id: string) => (await service.request<Connection>('GET', `/platformapi/connections/${id}`)).body;

  test('have a date of expiry in the form, on the card and on the overview', async () => {
    const id = await createConnection(service, { instance_name: 'Dated', ...thirdParties.connections.threatIntelligence });
    const page = await openPage(service.url, service.adminKey, { path: INTELLIGENCE });
    const card = page.getByRole('article', { name: 'Dated' });
    await card.getByRole('button', { name: 'Edit' }).click();
    await dialog(page).getByLabel('Secret expires on').fill(inDays(-2));
    await press(page, 'Save and test');
    await dialog(page).getByText('is in the past', { exact: false }).first().waitFor();
    await expectAccessible(page);
    await dialog(page).getByLabel('Secret expires on').fill(inDays(12));
    await press(page, 'Save and test');
    await dialog(page).getByText('The connection works').waitFor();
    await dialog(page).getByRole('button', { name: 'Close' }).last().click();
    await card.getByText('Secret expires in 12 days').waitFor();

    await changeConnections(service, { connectionUuid: id }, { secretExpiresOn: inDays(-3) });
    await page.reload();
    await card.getByText('Secret expired 3 days ago').waitFor();
    await expectAccessible(page);
    await card.getByRole('button', { name: 'Edit' }).click();
    await dialog(page).getByLabel('Description').fill('An unchanged day in the past is not refused');
    await press(page, 'Save and test');
    await dialog(page).getByText('The connection works').waitFor();

    const overview = await openPage(service.url, service.adminKey, { viewport: NARROW, colorScheme: 'dark' });
    const row = overview.getByRole('table', { name: 'Secrets that expire within 30 days' }).getByRole('row').filter({ hasText: 'Dated' });
    await row.getByRole('cell', { name: 'DEMO', exact: true }).waitFor();
    await row.getByText('Secret expired 3 days ago').waitFor();
    await expectAccessible(overview);
    await expectNoSidewaysScroll(overview);
    await row.getByRole('link', { name: 'Dated' }).click();
    await overview.getByRole('article', { name: 'Dated' }).waitFor();

    await overview.getByRole('article', { name: 'Dated' }).getByRole('button', { name: 'Reconnect' }).click();
    await dialog(overview).getByLabel('API Key').fill(thirdParties.standIns.threatIntelligence.state.apiKey);
    await press(overview, 'Reconnect and test');
    await dialog(overview).getByText('The connection works').waitFor();
    await waitFor('the old day to be cleared', async () => (await read(id)).secret_expires_on === null);
  });
});
