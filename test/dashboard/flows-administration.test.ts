import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { INDICATORS } from '../../connectors/kit/stand-in/company.js';
import type { ThirdParties } from '../../connectors/stand-ins.js';
import { findOrCreatePlaybook } from '../../services/playbooks/find-or-create.js';
import { describeInBrowser, expectUsable, openPage, SCREENS } from '../support/dashboard.js';
import { choose, expectFocus, press, skipToContent, tabTo, write } from '../support/keyboard.js';
import type { TestService } from '../support/service.js';
import { createConnection, type WithThirdParties } from '../support/with-third-parties.js';
import { shortPlanner } from './support/short-planner.js';
import { startWithChannel } from './support/with-channel.js';

const INTELLIGENCE = '/integrations/threat-intelligence';

describeInBrowser('the administration', () => {
  let service: TestService;
  let thirdParties: ThirdParties;
  let stop: WithThirdParties['stop'];

  beforeAll(async () => {
    ({ service, thirdParties, stop } = await startWithChannel());
  });
  afterAll(() => stop?.());

  const dialog = (page: Page) => page.getByRole('dialog');
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const option = (page: Page, name: string) => dialog(page).getByRole('combobox', { name });
  const open = (path: string, screen: (typeof SCREENS)[number]) => openPage(service.url, service.adminKey, { path, ...screen });
  const nameFor = ({ viewport }: (typeof SCREENS)[number]) => `Screen ${viewport.width}`;

  describe.each(SCREENS)('of connections needs no mouse at $viewport.width px', (screen) => {
    const fields = () => ({ url: thirdParties.standIns.threatIntelligence.url, ...thirdParties.standIns.threatIntelligence.state });
    const connect = async (instance_name: string) => {
      const connectionId = await createConnection(service, { ...thirdParties.connections.threatIntelligence, instance_name });
      await service.request('POST', `/platformapi/connections/${connectionId}/test`);
    };

    test('to connect a third party, and see the report of its test', async () => {
      const { url, apiKey } = fields();
      const page = await open(`${INTELLIGENCE}?tab=connections`, screen);
      await skipToContent(page);
      await press(page, button(page, 'Connect'));
      await choose(page, option(page, 'Preset'), 'Recorded Future', () => expectUsable(page));
      await choose(page, option(page, 'Organization'), 'DEMO');
      await write(page, dialog(page).getByLabel('Instance name'), nameFor(screen));
      await press(page, button(page, 'Connect and test'));
      await dialog(page).getByText('API Key is required').waitFor();
      await expectUsable(page);
      await write(page, dialog(page).getByLabel('API Key'), apiKey);
      await write(page, dialog(page).getByLabel('API host'), url);
      await write(page, dialog(page).getByLabel('Token header'), 'X-ThreatIntelToken');
      await page.keyboard.press('Enter');
      await dialog(page).getByText('The connection works').waitFor();
      await expectUsable(page);
      await press(page, dialog(page).getByRole('button', { name: 'Close' }).last());
      await dialog(page).waitFor({ state: 'detached' });
    });

    test('to test a connection, and the focus returns to the button', async () => {
      const name = `Tested on ${nameFor(screen)}`;
      await connect(name);
      const page = await open(`${INTELLIGENCE}?tab=connections`, screen);
      await skipToContent(page);
      const testButton = page.getByRole('article', { name }).getByRole('button', { name: 'Test', exact: true });
      await press(page, testButton);
      await dialog(page).getByText('The connection works').waitFor();
      await expectUsable(page);
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
      await expectFocus(page, testButton);
    });

    test('to run a skill', async () => {
      const name = `Asked on ${nameFor(screen)}`;
      await connect(name);
      const page = await open(`${INTELLIGENCE}?tab=skills`, screen);
      await skipToContent(page);
      const run = button(page, 'Run Get Enrichment');
      await press(page, run);
      await choose(page, option(page, 'Connection'), `${name} (DEMO)`);
      await choose(page, option(page, 'Kind'), 'ip');
      await write(page, dialog(page).getByLabel('Value'), INDICATORS.maliciousIp);
      await expectUsable(page);
      await press(page, button(page, 'Run'));
      await dialog(page).getByText('Completed in', { exact: false }).waitFor();
      await expectUsable(page);
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
      await expectFocus(page, run);
    });
  });

  test.each(SCREENS)('of plans needs no mouse at $viewport.width px', async (screen) => {
    const alert = await service.sendAlert();
    const { playbookUuid } = await findOrCreatePlaybook(service.database.pg, alert.organization_uuid, 'Odd DNS traffic', shortPlanner);
    const page = await open(`/investigators/${playbookUuid}?tab=edit`, screen);
    const changes = page.getByRole('region', { name: 'Changes' });
    await changes.getByText('No changes yet.').waitFor();
    // From the end of the page: each step has buttons, too.
    await tabTo(page, page.getByRole('button', { name: /ask\s*Threat intelligence: Get enrichment/ }).last(), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('textbox', { name: 'Purpose' }));
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' Edited.');
    await changes.getByText(/why: .*Edited\./).waitFor();
    await expectUsable(page);
    await press(page, button(page, 'Try on past alerts'));
    await changes.getByRole('heading', { name: 'Effect on past alerts' }).waitFor();
    await expectUsable(page);
  });

  describe.each(SCREENS)('of access and notifications needs no mouse at $viewport.width px', (screen) => {
    const openTab = async (tab: string) => {
      const page = await open(`/settings?tab=${tab}`, screen);
      await skipToContent(page);
      return page;
    };

    test('to create an API key, and revoke it', async () => {
      const page = await openTab('api-keys');
      await press(page, button(page, 'Create API key'));
      await write(page, dialog(page).getByLabel('Name'), nameFor(screen));
      await choose(page, option(page, 'Role'), 'analyst');
      await choose(page, option(page, 'Organization'), 'DEMO');
      await expectUsable(page);
      await press(page, button(page, 'Create'));
      await page.getByText(/^ai_/).waitFor();
      await expectFocus(page, button(page, 'Create API key'));
      await expectUsable(page);
      const revoke = button(page, `Revoke ${nameFor(screen)}`);
      await press(page, revoke);
      await dialog(page).getByText('Requests with this key fail', { exact: false }).waitFor();
      await expectUsable(page);
      await page.keyboard.press('Escape');
      await expectFocus(page, revoke);
      await page.keyboard.press('Enter');
      await press(page, dialog(page).getByRole('button', { name: 'Revoke', exact: true }));
      await revoke.waitFor({ state: 'detached' });
    });

    test('to invite a person', async () => {
      const page = await openTab('users');
      await press(page, button(page, 'Invite person'));
      await write(page, dialog(page).getByLabel('Email'), `${nameFor(screen).toLowerCase().replace(' ', '.')}@demo.example`);
      await choose(page, option(page, 'Role'), 'analyst');
      await choose(page, option(page, 'Organization'), 'DEMO');
      await expectUsable(page);
      await press(page, dialog(page).getByRole('button', { name: 'Invite', exact: true }));
      await page.locator('code', { hasText: '/join#in_' }).waitFor();
      await expectFocus(page, button(page, 'Invite person'));
      await expectUsable(page);
    });
  });
});
