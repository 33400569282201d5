import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ThirdParties } from '../../connectors/stand-ins.js';
import type { CreatedCredentialLink } from '../../services/credential-links/wire.js';
import type { CreatedInvitation } from '../../services/invitations/wire.js';
import { describeInBrowser, expectUsable, newPage, openPage, SCREENS, untilSignedIn } from '../support/dashboard.js';
import { choose, expectFocus, press, skipToContent, tabTo, write } from '../support/keyboard.js';
import type { TestService } from '../support/service.js';
import { PASSWORD } from '../support/users.js';
import type { WithThirdParties } from '../support/with-third-parties.js';
import { startWithChannel } from './support/with-channel.js';

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

    test('for the customer to hand over credentials on a page of its own', async () => {
      const { url, apiKey } = fields();
      const asked = { organization_code: 'DEMO', connector: 'threat-intelligence', instance_name: `By link ${nameFor(screen)}` };
      const body = { ...asked, settings: { api_host: url, token_header: 'X-ThreatIntelToken' } };
      const link = await service.request<CreatedCredentialLink>('POST', '/platformapi/credential-links', { body });
      const page = await newPage(service.url, screen);
      await page.goto(link.body.path);
      await page.getByRole('region', { name: 'Set up at the third party' }).waitFor();
      await press(page, button(page, 'Send credentials'));
      await page.getByText('API Key is required').waitFor();
      await expectUsable(page);
      await tabTo(page, page.getByLabel('API Key'), 'Shift+Tab');
      await page.keyboard.type(apiKey);
      await page.keyboard.press('Enter');
      await page.getByText('Thank you').waitFor();
      await expectUsable(page);
    });
  });

  describe.each(SCREENS)('of access and notifications needs no mouse at $viewport.width px', (screen) => {
    const openTab = async (tab: string) => {
      const page = await open(`/settings?tab=${tab}`, screen);
      await skipToContent(page);
      return page;
    };

    test('to create a notification rule', async () => {
      const page = await openTab('notifications');
      await press(page, button(page, 'Create rule'));
      await write(page, dialog(page).getByLabel('Name'), nameFor(screen));
      await choose(page, option(page, 'Channel'), 'On-call (DEMO)');
      const events = option(page, 'Events');
      await tabTo(page, events);
      await page.keyboard.type('verdict_changed');
      await page.getByRole('option', { name: 'case.verdict_changed' }).waitFor();
      await expectUsable(page);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await choose(page, option(page, 'Minimum severity'), 'critical', () => expectUsable(page));
      await expectUsable(page);
      await press(page, button(page, 'Save'));
      await page.getByRole('row', { name: new RegExp(`${nameFor(screen)} .* severity critical or higher`) }).waitFor();
      await expectFocus(page, button(page, 'Create rule'));
      await expectUsable(page);
    });

    test('to create an account from an invitation', async () => {
      const invitation = { email: `invited.${screen.viewport.width}@demo.example`, role: 'analyst', organization_code: 'DEMO' };
      const { body } = await service.request<CreatedInvitation>('POST', '/platformapi/invitations', { body: invitation });
      const page = await newPage(service.url, screen);
      await page.goto(`/join#${body.token}`);
      await write(page, page.getByLabel('Name'), `Person ${nameFor(screen)}`);
      await write(page, page.locator('input[type=password]'), 'too short');
      await page.keyboard.press('Enter');
      await page.getByText('must have at least 12 characters', { exact: false }).first().waitFor();
      await expectUsable(page);
      await write(page, page.locator('input[type=password]'), PASSWORD);
      await page.keyboard.press('Enter');
      await untilSignedIn(page);
      expect(await page.getByRole('button', { name: `Signed in as Person ${nameFor(screen)}` }).count()).toBe(1);
    });
  });
});
