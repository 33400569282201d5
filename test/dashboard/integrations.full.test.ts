import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMPUTERS, INDICATORS } from '../../connectors/kit/stand-in/company.js';
import type { ThirdParties } from '../../connectors/stand-ins.js';
import type { ConnectionState } from '../../domain/connection/connection.js';
import type { Connection, CreateConnection } from '../../services/connections/wire.js';
import { describeInBrowser, expectAccessible, expectNoSidewaysScroll, FURTHER_LOOKS, openPage } from '../support/dashboard.js';
import { changeConnections } from '../support/rows.js';
import { type TestService, waitFor } from '../support/service.js';
import { createConnection, startWithThirdParties, type WithThirdParties } from '../support/with-third-parties.js';

const INTELLIGENCE = '/integrations/threat-intelligence';

/** The names under which people know the third parties. */
const PRODUCTS = [
  ['defender for endpoint', 'Endpoint detection platform'],
  ['Defender XDR', 'Extended-detection incident source'],
  ['Cisco Secure', 'Malware protection platform'],
  ['insightidr', 'Vulnerability and investigation platform'],
  ['Navan', 'Travel booking platform'],
  ['recorded future', 'Threat intelligence platform'],
] as const;

describeInBrowser('the integrations', () => {
  let service: TestService;
  let thirdParties: ThirdParties;
  let stop: WithThirdParties['stop'];

  beforeAll(async () => {
    ({ service, thirdParties, stop } = await startWithThirdParties({ dashboard: true }));
  });
  afterAll(() => stop?.());

  const open = (where: string, key = service.adminKey) => openPage(service.url, key, { path: where });
  const dialog = (page: Page): Locator => page.getByRole('dialog');
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const choose = async (page: Page, label: string, option: string) => {
    await dialog(page).getByRole('combobox', { name: label }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  const connections = async () => (await service.request<{ items: Connection[] }>('GET', '/platformapi/connections')).body.items;
  const connect = (name: keyof ThirdParties['connections'], more: Partial<CreateConnection> = {}) =>
    createConnection(service, { instance_name: `by hand: ${name}`, ...thirdParties.connections[name], ...more });

  test('lists the six connectors and finds them by name', async () => {
    const page = await open('/integrations');
    const cards = page.getByRole('article');
    await cards.nth(5).waitFor();
    expect(await cards.count()).toBe(6);
    await expectAccessible(page);
    await page.getByRole('searchbox', { name: 'Search integrations' }).fill('travel');
    await page.waitForURL('**/integrations?name=travel');
    expect(await page.getByRole('article').allTextContents()).toEqual([expect.stringContaining('Travel booking platform')]);
    for (const [product, title] of PRODUCTS) {
      await page.getByRole('searchbox', { name: 'Search integrations' }).fill(product);
      await waitFor(`${product} alone`, async () => (await page.getByRole('article').count()) === 1);
      await page.getByRole('article', { name: title }).waitFor();
    }
    await page.getByRole('searchbox', { name: 'Search integrations' }).fill('nothing like it');
    await page.getByText('No integrations match this name').waitFor();
  });

  test('creates, tests and reconnects a connection', async () => {
    const { state, url } = thirdParties.standIns.threatIntelligence;
    const page = await open(`${INTELLIGENCE}?tab=connections`);
    await page.getByText('No connections yet').waitFor();
    await press(page, 'Connect');
    await choose(page, 'Preset', 'Recorded Future');
    expect(await dialog(page).getByLabel('Token header').inputValue()).toBe('X-RFToken');
    await press(page, 'Connect and test');
    await dialog(page).getByText('API Key is required').waitFor();
    await choose(page, 'Organization', 'DEMO');
    await dialog(page).getByLabel('Instance name').fill('Intelligence');
    await dialog(page).getByLabel('API Key').fill(state.apiKey);
    await dialog(page).getByLabel('API host').fill('ftp://nowhere');
    await press(page, 'Connect and test');
    await dialog(page).locator('[id$="-error"]').first().waitFor();
    expect(await dialog(page).getByLabel('API host').getAttribute('aria-invalid')).toBe('true');
    expect(await dialog(page).getByLabel('API Key').getAttribute('type')).toBe('password');
    await expectAccessible(page);
    await dialog(page).getByLabel('API host').fill(url);
    await dialog(page).getByLabel('Token header').fill('X-ThreatIntelToken');
    await press(page, 'Connect and test');
    await dialog(page).getByText('The connection works').waitFor();
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Close' }).last().click();
    const card = page.getByRole('article', { name: 'Intelligence' });
    await card.getByText('working', { exact: true }).waitFor();

    state.apiKey = 'another-key';
    await card.getByRole('button', { name: 'Test' }).click();
    await dialog(page).getByText('The connection does not work').waitFor();
    await dialog(page).getByText('Rejected').waitFor();
    await dialog(page).getByRole('button', { name: 'Close' }).last().click();
    await card.getByText('broken', { exact: true }).waitFor();
    const { alert_id: alertId } = await service.sendAlert({ alert_type: 'Reported phishing', alert_content: INDICATORS.maliciousUrl });
    await card.getByRole('link', { name: alertId }).waitFor();
    await expectAccessible(page);

    await card.getByRole('button', { name: 'Reconnect' }).click();
    await dialog(page).getByLabel('API Key').fill('another-key');
    await press(page, 'Reconnect and test');
    await dialog(page).getByText('The connection works').waitFor();
    await dialog(page).getByRole('button', { name: 'Close' }).last().click();
    await card.getByText('working', { exact: true }).waitFor();
    await card.getByRole('link', { name: alertId }).waitFor({ state: 'detached' });
    await service.waitForStatus(alertId, 15);
    expect(await page.content()).not.toContain('another-key');
  });

  test('edits a connection without its secrets and deletes it after a confirmation', async () => {
    await connect('travelBooking');
    const page = await open('/integrations/travel-booking?tab=connections');
    const card = page.getByRole('article', { name: 'by hand: travelBooking' });
    await card.getByRole('button', { name: 'Edit' }).click();
    await dialog(page).getByText('Client Secret: Set').waitFor();
    const host = dialog(page).getByLabel('Base URL');
    const ownHost = await host.inputValue();
    await host.fill('https://elsewhere.example');
    await dialog(page).getByText('Enter the credentials again', { exact: false }).waitFor();
    await press(page, 'Save and test');
    await dialog(page).getByText('Client Secret is required').waitFor();
    await host.fill(ownHost);
    await dialog(page).getByText('Client Secret: Set').waitFor();
    await dialog(page).getByLabel('Description').fill('The one of the night shift');
    await press(page, 'Save and test');
    await dialog(page).getByText('The connection works').waitFor();
    await dialog(page).getByRole('button', { name: 'Close' }).last().click();
    await card.getByText('The one of the night shift').waitFor();
    await card.getByRole('button', { name: 'Delete' }).click();
    await dialog(page).getByText('permanently deletes', { exact: false }).waitFor();
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No connections yet').waitFor();
    expect((await connections()).some(({ connector }) => connector === 'travel-booking')).toBe(false);
  });

  test('leaves out or adds a group of fields', async () => {
    const page = await open('/integrations/malware-protection?tab=connections');
    await press(page, 'Connect');
    expect(await dialog(page).getByLabel('Queue name').count()).toBe(0);
    await dialog(page).getByLabel('Add Event stream').check({ force: true });
    await dialog(page).getByLabel('Queue name').waitFor();
    await press(page, 'Connect and test');
    await dialog(page).getByText('Queue name is required').waitFor();
    await expectAccessible(page);
  });

  test('runs a read skill and shows its response', async () => {
    const { state } = thirdParties.standIns.threatIntelligence;
    await connect('threatIntelligence', { instance_name: 'To ask', credentials: { api_key: state.apiKey } });
    const page = await open(`${INTELLIGENCE}?tab=skills`);
    await press(page, 'Run Get Enrichment');
    await press(page, 'Run');
    await dialog(page).getByText('Value is required').waitFor();
    await choose(page, 'Connection', 'To ask (DEMO, untested)');
    await choose(page, 'Kind', 'ip');
    await dialog(page).getByLabel('Value').fill(INDICATORS.maliciousIp);
    await press(page, 'Run');
    await dialog(page).getByText('Completed in', { exact: false }).waitFor();
    expect(await dialog(page).getByRole('region', { name: 'Response' }).textContent()).toContain('Validated C&C Server');
    await expectAccessible(page);
  });

  test('shows the error of a third party', async () => {
    const { state } = thirdParties.standIns.threatIntelligence;
    state.modules.alerts = false;
    await connect('threatIntelligence', { instance_name: 'Without alerts', credentials: { api_key: state.apiKey } });
    const page = await open(`${INTELLIGENCE}?tab=skills&skill=list-alerts`);
    await choose(page, 'Connection', 'Without alerts (DEMO, untested)');
    await press(page, 'Run');
    await dialog(page).getByRole('alert').getByText('List Alerts', { exact: false }).waitFor();
    state.modules.alerts = true;
  });

  test('confirms a write skill and waits for a second approver where one is required', async () => {
    await connect('endpointDetection', { needs_second_person: true });
    const requester = await service.createPerson('admin');
    const page = await open('/integrations/endpoint-detection?tab=skills&skill=isolate-machine', requester.api_key);
    await dialog(page).getByLabel('Machine id').fill(COMPUTERS[0].dnsName);
    await dialog(page).getByLabel('Comment').fill('It talks to the attacker.');
    await press(page, 'Continue');
    await dialog(page).getByText('A second approver must approve the run', { exact: false }).waitFor();
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Run skill' }).click();
    await page.waitForURL('**run=*');
    await dialog(page).getByText('Needs a second approver').waitFor();
    expect(await dialog(page).getByRole('button', { name: 'Approve and send' }).count()).toBe(0);

    const { api_key: key } = await service.createPerson('analyst');
    const second = await open(new URL(page.url()).pathname + new URL(page.url()).search, key);
    await dialog(second).getByText('It talks to the attacker.').waitFor();
    await dialog(second).getByRole('button', { name: 'Approve and send' }).click();
    await dialog(second).getByText('Completed in', { exact: false }).waitFor();
    await dialog(page).getByText('Completed in', { exact: false }).waitFor();
  });

  test('links the figures of the overview and names the owner of a broken connection', async () => {
    const { pg } = service.database;
    const [broken] = await pg<{ id: string; name: string; was: ConnectionState }[]>`
      select connection_uuid as id, instance_name as name, state as was from connections order by connection_uuid limit 1`;
    const connectionUuid = broken?.id ?? '';
    await changeConnections(service, { connectionUuid }, { state: 'broken', stateReason: 'The secret expired.' });
    const page = await open('/');
    const row = page
      .getByRole('table', { name: 'Connections that need attention' })
      .getByRole('row')
      .filter({ hasText: broken?.name ?? '' });
    await row.getByRole('cell', { name: 'DEMO', exact: true }).waitFor();
    for (const [figure, address] of [
      ['Alerts', /\/alerts\?from=\d+$/],
      ['Time to verdict', /\/investigators$/],
      ['Open cases', /\/cases\?status=open$/],
      ['Needs approval', /\/#needs-approval$/],
    ] as const)
      expect(await page.getByRole('region', { name: figure, exact: true }).getByRole('link').first().getAttribute('href')).toMatch(address);
    await expectAccessible(page);
    await row.getByRole('link').click();
    await page.getByRole('article', { name: broken?.name ?? '' }).waitFor();
    await changeConnections(service, { connectionUuid }, { state: broken?.was ?? 'working', stateReason: null });
  });

  test('links from the overview and the connector to runs that need a second approver', async () => {
    const id = await connect('endpointDetection', { instance_name: 'Watched', needs_second_person: true });
    const page = await open('/', (await service.createPerson('admin', null)).api_key);
    const waiting = page.locator('#needs-approval');
    await page.getByText('No actions need approval', { exact: false }).waitFor();
    const { api_key: asker } = await service.createPerson('analyst');
    const ask = (comment: string) =>
      service.request('POST', `/platformapi/connections/${id}/skills/run-antivirus-scan`, {
        key: asker,
        body: { input: { machine_id: COMPUTERS[1].dnsName, comment }, confirm: true },
      });
    expect((await ask('Look at it.')).status).toBe(202);
    await waiting.getByText('Requested by analyst', { exact: false }).waitFor();
    await expectAccessible(page);
    await waiting.getByRole('link', { name: '(DEMO)' }).click();
    await dialog(page).getByText('Look at it.').waitFor();
    await dialog(page).getByRole('button', { name: 'Approve and send' }).click();
    await dialog(page).getByText('Completed in', { exact: false }).waitFor();

    await page.goto('/integrations/endpoint-detection');
    await page.getByRole('heading', { name: 'Endpoint' }).first().waitFor();
    const here = page.getByRole('region', { name: 'Needs a second approver' });
    expect(await here.count()).toBe(0);
    expect((await ask('Once more.')).status).toBe(202);
    await here.getByRole('link', { name: 'Run antivirus scan on Watched (DEMO)' }).waitFor();
    await expectAccessible(page);
    await here.getByRole('link', { name: 'Run antivirus scan on Watched (DEMO)' }).click();
    await dialog(page).getByRole('button', { name: 'Refuse' }).click();
    await dialog(page).getByText('Refused').waitFor();
    await here.waitFor({ state: 'detached' });
    const elsewhere = await open(INTELLIGENCE);
    await elsewhere.getByRole('tab', { name: 'Overview' }).waitFor();
    expect(await elsewhere.getByRole('region', { name: 'Needs a second approver' }).count()).toBe(0);
  });

  test('shows why a change is on hold and continues when changes resume', async () => {
    await connect('endpointDetection', { instance_name: 'Held', needs_second_person: true });
    const turn = (way: 'stop' | 'resume', reason: string, key = service.adminKey) =>
      service.request('POST', `/platformapi/response/${way}`, { body: { organization_code: 'DEMO', reason }, key });
    await turn('stop', 'The playbook proposes nonsense.');
    const requester = await service.createPerson('admin');
    const page = await open('/integrations/endpoint-detection?tab=skills&skill=run-antivirus-scan', requester.api_key);
    await choose(page, 'Connection', 'Held (DEMO, untested)');
    await dialog(page).getByLabel('Machine id').fill(COMPUTERS[1].dnsName);
    await dialog(page).getByLabel('Comment').fill('To be sure.');
    await press(page, 'Continue');
    await dialog(page).getByRole('button', { name: 'Run skill' }).click();
    await page.waitForURL('**run=*');
    const { api_key: key } = await service.createPerson('analyst');
    const approval = `/platformapi/proposals/${new URL(page.url()).searchParams.get('run')}/approve`;
    expect(await service.request('POST', approval, { key, body: {} })).toMatchObject({ status: 200 });
    await dialog(page).getByText('The playbook proposes nonsense.', { exact: false }).waitFor();
    await expectAccessible(page);
    await turn('resume', 'It is fixed.', requester.api_key);
    await turn('resume', 'It is fixed.', (await service.createPerson('admin')).api_key);
    await dialog(page).getByText('Completed in', { exact: false }).waitFor();
  });

  test('lets an analyst test but not change a connection', async () => {
    await connect('vulnerabilityInvestigation');
    const { api_key: key } = await service.createPerson('analyst');
    const page = await open('/integrations/vulnerability-investigation?tab=connections', key);
    const card = page.getByRole('article', { name: 'by hand: vulnerabilityInvestigation' });
    await card.waitFor();
    expect(await card.getByRole('button').allTextContents()).toEqual(['Test']);
    expect(await page.getByRole('button', { name: 'Connect', exact: true }).count()).toBe(0);
  });

  test('is accessible and fits its screen on every tab of a connector', async () => {
    await connect('incidentSource');
    const page = await open('/integrations/incident-source');
    const openEach = async (check: () => Promise<void>) => {
      for (const name of ['Overview', 'Connections', 'Skills']) {
        await page.getByRole('tab', { name }).click();
        await page.getByRole('tabpanel', { name }).getByRole('heading').first().waitFor();
        await check();
      }
    };
    await openEach(() => expectAccessible(page));
    for (const { viewport } of FURTHER_LOOKS) {
      await page.setViewportSize(viewport);
      await openEach(() => expectNoSidewaysScroll(page));
      await page.goto('/integrations');
      await page.getByRole('article').first().waitFor();
      await expectNoSidewaysScroll(page);
    }
  });
});
