import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { AlertListItem } from '../../domain/alert/alert.js';
import type { ResponseRules } from '../../domain/response/response-rules.js';
import type { EvidenceDraft } from '../../domain/verdict/evidence.js';
import type { CreatedApiKey } from '../../services/api-keys/wire.js';
import type { Session } from '../../services/sessions/wire.js';
import type { SlaPolicy } from '../../services/sla/wire.js';
import { FINDING, investigate } from '../api/support/records.js';
import { describeInBrowser, expectAccessible, expectNoSidewaysScroll, FURTHER_LOOKS, openPage } from '../support/dashboard.js';
import { storeEntity } from '../support/rows.js';
import { startTestService, type TestService, waitFor } from '../support/service.js';
import { inviteAndJoin } from '../support/users.js';
import { storeFailedDelivery } from '../support/webhook-receiver.js';

const TABS = [
  'Organizations',
  'Knowledge',
  'Providers',
  'Users',
  'API keys',
  'Remote agents',
  'Notifications',
  'Response',
  'SLA',
  'Task templates',
  'Retention',
  'Audit log',
];

/** The contrast of two colors such as `rgb(46, 46, 46)` by WCAG 2. */
function findContrast(one: string, other: string): number {
  const luminance = (color: string) => {
    const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).slice(0, 3).map((part) => {
      const share = Number(part) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((first, second) => first - second);
  return (light + 0.05) / (dark + 0.05);
}

describeInBrowser('the settings', () => {
  let service: TestService;
  let page: Page;

  beforeAll(async () => {
    service = await startTestService({ dashboard: true, worker: false });
  });
  beforeEach(async () => {
    page = await openPage(service.url, service.adminKey, { path: '/settings?organization=DEMO' });
  });
  afterAll(() => service?.stop());

  const open = async (name: string) => page.getByRole('tab', { name }).click();
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = () => page.getByRole('dialog');
  const choose = async (label: string, option: string) => {
    await dialog().getByRole('combobox', { name: label }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  test('show what a leaver holds, and hand it over before the deactivation', async () => {
    const [leaver, successor] = [await inviteAndJoin(service, 'admin'), await inviteAndJoin(service, 'admin')];
    const body = { name: 'siem forwarder', role: 'sender', organization_code: 'DEMO', service: 'siem' };
    const { body: key } = await service.request<CreatedApiKey>('POST', '/platformapi/api-keys', { key: leaver.session, body });
    await open('Users');
    await button(`Deactivate ${leaver.name}`).click();
    await dialog().getByText('Service key: siem forwarder (DEMO)').waitFor();
    await expectAccessible(page);
    await choose('Hand over to', successor.name);
    await dialog().getByRole('button', { name: 'Hand over' }).click();
    await dialog().getByText('The person leaves nothing that others use.').waitFor();
    await dialog().getByRole('button', { name: 'Deactivate', exact: true }).click();
    await dialog().waitFor({ state: 'detached' });
    // A sender may not read the session, but the key works.
    expect((await service.request('GET', '/platformapi/cases', { key: key.api_key })).status).toBe(403);
  });

  test('is accessible and fits its screen on every tab', async () => {
    const openEach = async (check: () => Promise<void>) => {
      for (const name of TABS) {
        await open(name);
        await page.getByRole('tabpanel', { name }).waitFor();
        await page.getByRole('tabpanel').locator('table, h3').first().or(page.getByText('No remote agents yet')).waitFor();
        await check();
      }
    };
    await openEach(() => expectAccessible(page));
    for (const { viewport } of FURTHER_LOOKS) {
      await page.setViewportSize(viewport);
      await openEach(() => expectNoSidewaysScroll(page));
    }
  });

  test('creates an organization and shows each error at its field', async () => {
    await open('Organizations');
    await button('Create organization').click();
    await dialog().getByLabel('Code').fill('-acme-');
    await button('Create').click();
    await dialog().getByText('Name is required').waitFor();
    await dialog().getByLabel('Name').fill('Acme Corporation');
    await button('Create').click();
    await dialog().getByText('beginning and ending with a letter or digit').first().waitFor();
    expect(await dialog().getByLabel('Code').getAttribute('aria-invalid')).toBe('true');
    await expectAccessible(page);
    await dialog().getByLabel('Code').fill('ACME');
    await button('Create').click();
    await page.getByRole('cell', { name: 'Acme Corporation' }).waitFor();
  });

  test('adds and removes knowledge about an organization, and shows the error of a wrong value', async () => {
    await open('Knowledge');
    await button('Add knowledge').click();
    await choose('Kind', 'network');
    await dialog().getByLabel('Value').fill('0.0.0.0/0');
    await button('Add').click();
    await dialog().getByText('must be an address or a network').first().waitFor();
    await dialog().getByLabel('Value').fill('10.20.0.0/16');
    await dialog().getByLabel('Note').fill('Offices');
    await button('Add').click();
    await page.getByRole('cell', { name: '10.20.0.0/16', exact: true }).waitFor();
    await expectAccessible(page);
    await button('Remove 10.20.0.0/16').click();
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No knowledge yet').waitFor();
  });

  test('accepts and rejects suggestions, which have no effect before', async () => {
    const alerts: AlertListItem[] = [];
    for (let n = 0; n < 20; n += 1) alerts.push(await service.sendAlert());
    for (const value of ['ours.example', 'theirs.example']) await storeEntity(service, { kind: 'domain', value }, alerts);
    await open('Knowledge');
    await page.getByText('No knowledge yet').waitFor();
    await page
      .getByRole('row', { name: /theirs\.example/ })
      .getByText('20 of the newest 20 alerts contain it.')
      .waitFor();
    await expectAccessible(page);
    await button('Reject theirs.example').click();
    await button('Reject theirs.example').waitFor({ state: 'detached' });
    await button('Accept ours.example').click();
    await page.getByText('No suggestions').waitFor();
    await button('Remove ours.example').waitFor();
    const { body } = await service.request<{ items: { value: string }[] }>('GET', '/platformapi/organizations/DEMO/knowledge');
    expect(body.items.map(({ value }) => value)).toEqual(['ours.example']);
  });

  test('leads from the note of a case to the suggestion, which an analyst sees and an admin accepts', async () => {
    const alert = await service.sendAlert();
    const shared = { kind: 'ip', value: '198.51.100.7', records: 9, people: 4, machines: 2, cases: 1, days: 3 };
    const evidence: EvidenceDraft[] = [{ ...FINDING, kind: 'note', points: 0, step: 'shared-value-a', title: 'Shared by many', shared }];
    const caseId = await investigate(service, alert, { evidence });
    const { api_key: key } = await service.createKey('analyst', 'DEMO');
    const ofAnalyst = await openPage(service.url, key, { path: `/cases/${caseId}?tab=evidence` });
    const answers = ofAnalyst.getByRole('button', { name: /that does not change the score/ });
    await answers.click();
    await ofAnalyst.getByRole('link', { name: 'Show the suggestions' }).click();
    await ofAnalyst.getByRole('row', { name: /198\.51\.100\.7.*of 4 people, 2 machines/ }).waitFor();
    expect(await ofAnalyst.getByRole('button', { name: 'Accept 198.51.100.7' }).count()).toBe(0);
    await open('Knowledge');
    await button('Accept 198.51.100.7').click();
    await button('Remove 198.51.100.7').waitFor();
    await button('Accept 198.51.100.7').waitFor({ state: 'detached' });
  });

  test('counts what retention rules would delete before it saves them, and places a legal hold', async () => {
    await open('Retention');
    const days = page.getByLabel('Stream events (days)');
    await days.fill('30');
    await button('Dry run').click();
    await page
      .getByRole('table', { name: 'Dry run' })
      .getByRole('row', { name: /Stream events/ })
      .waitFor();
    await button('Save rules').click();
    await dialog()
      .getByRole('row', { name: /Stream events 0 0/ })
      .waitFor();
    await expectAccessible(page);
    await dialog().getByRole('button', { name: 'Save and delete' }).click();
    await dialog().waitFor({ state: 'detached' });
    const path = '/platformapi/organizations/DEMO/retention';
    expect((await service.request('GET', path)).body).toMatchObject({ rules: [{ kind: 'stream-events', days: 30 }] });
    await page.getByLabel('Audit log (days)').fill('5');
    await button('Save rules').click();
    await dialog().getByText('the audit log is kept for at least 90 days').first().waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await button('Place legal hold').click();
    await dialog().getByLabel('Reason').fill('A court asked.');
    await button('Place hold').click();
    await page.getByText('A court asked.').waitFor();
    await button('Release legal hold').click();
    await dialog().getByLabel('Reason').fill('It ended.');
    await button('Release hold').click();
    await button('Place legal hold').waitFor();
    expect((await service.request('GET', path)).body).toMatchObject({ legal_hold: null });
  });

  test('saves the SLA of an organization, and shows errors at the field or below the form', async () => {
    await open('SLA');
    await page.getByText('No targets yet: cases have no time limits.').waitFor();
    await page.getByLabel('Critical: acknowledge within (working minutes)').fill('15');
    await button('Weekdays from 9 to 17').click();
    await page.getByLabel('Saturday').fill('morning');
    await page.getByText('Enter times such as 08:00-17:00').waitFor();
    expect(await button('Save SLA').isDisabled()).toBe(true);
    await expectAccessible(page);
    await page.getByLabel('Saturday').fill('9:00-12:00, 11:00-13:00');
    await button('Save SLA').click();
    await page.getByRole('alert').getByText('overlaps with other hours').waitFor();
    await page.getByLabel('Saturday').fill('9:00-12:00');
    await page.getByLabel('Holidays').fill('2026-12-25, 2027-01-01');
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Berlin');
    await page.getByRole('option', { name: 'Europe/Berlin' }).click();
    await button('Save SLA').click();
    await page.getByText('A change applies to running clocks too.').waitFor();
    const { body } = await service.request<SlaPolicy>('GET', '/platformapi/organizations/DEMO/sla');
    expect(body).toMatchObject({
      time_zone: 'Europe/Berlin',
      holidays: ['2026-12-25', '2027-01-01'],
      targets: [{ severity: 'critical', acknowledge_minutes: 15, close_minutes: null }],
    });
    expect(body.hours.at(-1)).toEqual({ day: 'saturday', from: '09:00', to: '12:00' });
    expect(body.hours).toHaveLength(6);
  });

  test('creates a provider', async () => {
    await open('Providers');
    await button('Create provider').click();
    await dialog().getByLabel('Name').fill('mail-gateway');
    await button('Create').click();
    await page.getByRole('cell', { name: 'MAIL_GATEWAY' }).waitFor();
  });

  test('shows a new API key once and revokes it', async () => {
    await open('API keys');
    await button('Create API key').click();
    await dialog().getByLabel('Name').fill('night shift');
    await choose('Role', 'analyst');
    await choose('Organization', 'DEMO');
    await button('Create').click();
    const shown = page.getByText(/^ai_/);
    const key = (await shown.textContent()) ?? '';
    await page.getByText('It is shown only once.', { exact: false }).waitFor();
    await expectAccessible(page);
    expect((await service.request('GET', '/platformapi/alerts', { key })).status).toBe(200);
    await page.reload();
    await page.getByRole('cell', { name: 'night shift', exact: true }).waitFor();
    expect(await shown.count()).toBe(0);
    await button('Revoke night shift').click();
    await dialog().getByRole('button', { name: 'Revoke' }).click();
    await page
      .getByRole('row', { name: /night shift/ })
      .getByText('Revoked')
      .waitFor();
    expect((await service.request('GET', '/platformapi/alerts', { key })).status).toBe(401);
  });

  test('shows the token of a new remote agent once and revokes the agent', async () => {
    await open('Remote agents');
    await button('Create remote agent').click();
    await choose('Organization', 'DEMO');
    await dialog().getByLabel('Name').fill('plant network');
    await button('Create').click();
    await page.getByText(/^agent_/).waitFor();
    await page.getByText('npm run agent').waitFor();
    await button('Revoke plant network').click();
    await dialog().getByRole('button', { name: 'Revoke' }).click();
    await page
      .getByRole('row', { name: /plant network/ })
      .getByText('Revoked')
      .waitFor();
    expect(await page.getByText(/^agent_/).count()).toBe(0);
  });

  test('stops and resumes changes with a reason, and changes the limit', async () => {
    const rules = async () => (await service.request<ResponseRules>('GET', '/platformapi/response?organization_code=DEMO')).body;
    await open('Response');
    await button('Stop all changes').click();
    await dialog().getByLabel('Reason').fill('The playbook proposes nonsense.');
    await dialog().getByRole('button', { name: 'Stop all changes' }).click();
    await page.getByText('The playbook proposes nonsense.').waitFor();
    expect(await rules()).toMatchObject({ stopped: true });
    await expectAccessible(page);
    await button('Resume changes').click();
    await dialog().getByLabel('Reason').fill('It is fixed.');
    await dialog().getByRole('button', { name: 'Resume changes' }).click();
    await button('Stop all changes').waitFor();
    await button('Change limit').click();
    await dialog().getByLabel('Changes per hour').fill('12');
    await button('Save').click();
    await page.getByText('of 12 changes').waitFor();
    expect(await rules()).toMatchObject({ stopped: false, writes_per_hour: 12 });
  });

  test('stops the changes of the organization that the address names, and of none without a choice', async () => {
    const isStopped = async (code: string) =>
      (await service.request<ResponseRules>('GET', `/platformapi/response?organization_code=${code}`)).body.stopped;
    await service.request('POST', '/platformapi/organizations', { body: { organization_code: 'ZULU', name: 'Zulu Limited' } });
    const other = await openPage(service.url, service.adminKey, { path: '/settings?tab=response' });
    await other.getByText('Select an organization to see', { exact: false }).waitFor();
    expect(await other.getByRole('button', { name: 'Stop all changes' }).count()).toBe(0);
    await other.getByRole('combobox', { name: 'Organization' }).click();
    await other.getByRole('option', { name: 'ZULU' }).click();
    await other.waitForURL('**organization=ZULU*');
    await other.getByRole('tab', { name: 'Retention' }).click();
    await other.getByRole('tab', { name: 'Response' }).click();
    await other.reload();
    await other.getByText('ZULU changes at third parties').waitFor();
    await expectAccessible(other);
    await other.getByRole('button', { name: 'Stop all changes' }).click();
    await other.getByRole('dialog').getByLabel('Reason').fill('Only here.');
    await other.getByRole('dialog').getByRole('button', { name: 'Stop all changes' }).click();
    await other.getByText('Only here.').waitFor();
    expect(await Promise.all([isStopped('ZULU'), isStopped('DEMO')])).toEqual([true, false]);
  });

  test('warns before a user revokes the own key', async () => {
    const [{ api_key: key }, { api_key: otherKey }] = [await service.createKey('admin'), await service.createKey('admin')];
    const readName = async (of: string) => (await service.request<Session>('GET', '/platformapi/session', { key: of })).body.name;
    const own = await openPage(service.url, key, { path: '/settings?tab=api-keys' });
    const warning = own.getByText('You are signed in with this key');
    await own.getByRole('button', { name: `Revoke ${await readName(otherKey)}`, exact: true }).click();
    await own.getByText('Requests with this key fail', { exact: false }).waitFor();
    expect(await warning.count()).toBe(0);
    await own.keyboard.press('Escape');
    await own.getByRole('dialog').waitFor({ state: 'detached' });
    await own.getByRole('button', { name: `Revoke ${await readName(key)}`, exact: true }).click();
    await warning.waitFor();
    await own.getByRole('button', { name: 'Revoke my own key' }).waitFor();
    await expectAccessible(own);
  });

  test('shows times in UTC on request, and how long ago they were', async () => {
    await open('API keys');
    const time = page.getByRole('table').locator('time').first();
    const local = await time.textContent();
    await button('Local: show times in UTC').press('Enter');
    await waitFor('the time in UTC', async () => (await time.textContent())?.endsWith('UTC') === true);
    await time.hover();
    await page
      .getByRole('tooltip')
      .getByText(/ago · .* local · .* UTC/)
      .waitFor();
    await page.reload();
    await waitFor('the choice to stay', async () => (await time.textContent())?.endsWith('UTC') === true);
    await button('UTC: show local times').click();
    await waitFor('the local time', async () => (await time.textContent()) === local);
  });

  test('has readable placeholders in dark mode', async () => {
    const dark = await openPage(service.url, service.adminKey, { path: '/integrations', colorScheme: 'dark' });
    await dark.getByRole('searchbox').waitFor();
    const [text, ground] = z.tuple([z.string(), z.string()]).parse(
      await dark.evaluate(`(() => {
        const field = document.querySelector('main input');
        return [getComputedStyle(field, '::placeholder').color, getComputedStyle(field).backgroundColor];
      })()`),
    );
    expect(findContrast(text, ground)).toBeGreaterThan(4.5);
  });

  test('adds and removes a protected asset', async () => {
    await open('Response');
    await button('Protect asset').click();
    await choose('Kind', 'host');
    await dialog().getByLabel('Asset').fill('hr-srv-files');
    await dialog().getByLabel('Reason').fill('Everybody works on it.');
    await button('Protect').click();
    await page.getByRole('cell', { name: 'hr-srv-files', exact: true }).waitFor();
    await button('Remove hr-srv-files').click();
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Waits for a second approver').waitFor();
    await page.getByText('The API key of a service never counts', { exact: false }).waitFor();
    const { pending_changes } = (await service.request<ResponseRules>('GET', '/platformapi/response?organization_code=DEMO')).body;
    for (const { api_key: key } of [await service.createPerson('admin'), await service.createPerson('admin')])
      await service.request('DELETE', `/platformapi/protected-assets/${pending_changes[0]?.target}`, { key });
    await page.getByText('No protected assets yet').waitFor();
  });

  test('pages through the audit log, newest first', async () => {
    for (let n = 0; n < 50; n += 1) await service.createKey('sender');
    await open('Audit log');
    const first = page.getByRole('table', { name: 'Audit log' }).getByRole('row').nth(1);
    await first.getByText('api-key.create').waitFor();
    await button('Older').click();
    await page.getByRole('cell', { name: 'organization.create' }).first().waitFor();
    await button('Newest').click();
    await first.getByText('api-key.create').waitFor();
  });

  test('filters the audit log and keeps the filters in the address', async () => {
    const { key_uuid: uuid } = await service.createKey('sender');
    await service.request('POST', '/platformapi/providers', { body: { name: 'audited-here' } });
    await open('Audit log');
    const table = page.getByRole('table', { name: 'Audit log' });
    const rows = table.getByRole('row');
    const search = (name: string) => page.getByRole('searchbox', { name, exact: true });
    await search('Action').fill('provider.create');
    await page.waitForURL('**action=provider.create*');
    await rows.nth(1).getByText('audited-here').waitFor();
    await waitFor('the other entries to disappear', async () => (await table.getByText('api-key.create').count()) === 0);
    await expectAccessible(page);
    await search('Target').fill('audited-here');
    await page.waitForURL('**target=audited-here*');
    await waitFor('one entry to remain', async () => (await rows.count()) === 2);
    await search('Actor').fill('nobody');
    await page.getByText('No entries match these filters').waitFor();

    const sent = await openPage(service.url, service.adminKey, { path: new URL(page.url()).pathname + new URL(page.url()).search });
    await sent.getByText('No entries match these filters').waitFor();
    expect(await sent.getByRole('searchbox', { name: 'Actor', exact: true }).inputValue()).toBe('nobody');

    await button('Clear filters').click();
    await page.waitForURL((url) => url.search === '?tab=audit&organization=DEMO');
    await search('Target').fill(uuid);
    await waitFor('the entry of the key to appear', async () => (await rows.count()) === 2);
    await rows.nth(1).getByText('api-key.create').waitFor();
    await page.getByLabel('From').fill('2999-01-01T00:00');
    await page.getByLabel('From').blur();
    await page.waitForURL('**from=*');
    await page.getByText('No entries match these filters').waitFor();
  });

  test('shows the changes of other users', async () => {
    await open('Organizations');
    await page.getByRole('cell', { name: 'Acme Corporation' }).waitFor();
    await service.request('POST', '/platformapi/organizations', { body: { organization_code: 'LATER', name: 'Later Limited' } });
    await page.getByRole('cell', { name: 'Later Limited' }).waitFor();
  });

  test('creates a notification channel and a rule, and replays a failed delivery', async () => {
    await open('Notifications');
    await page.getByText('No rules yet').waitFor();
    await button('Create channel').click();
    await choose('Organization', 'DEMO');
    await dialog().getByLabel('Name').fill('On-call');
    await dialog().getByLabel('Webhook URL').fill('http://hooks.example.com/soc');
    await button('Create').click();
    await dialog().getByText('must begin with https://').first().waitFor();
    await dialog().getByLabel('Webhook URL').fill('https://hooks.example.com/soc');
    await button('Create').click();
    await page.getByText(/^whsec_/).waitFor();
    await button('Create rule').click();
    await dialog().getByLabel('Name').fill('Critical cases');
    await choose('Channel', 'On-call (DEMO)');
    await choose('Events', 'case.verdict_changed');
    await page.keyboard.press('Escape');
    await choose('Minimum severity', 'critical');
    await dialog().getByLabel('Quiet hours').check({ force: true });
    await dialog().getByLabel('From').fill('21:30');
    expect(await dialog().getByRole('combobox', { name: 'Messages' }).count()).toBe(0);
    await dialog().getByLabel('Send events of critical cases at once').check({ force: true });
    await expectAccessible(page);
    await button('Save').click();
    await page
      .getByRole('row', { name: /Critical cases .* severity critical or higher/ })
      .getByText(/^quiet 21:30–07:00 \(.+\), critical at once$/)
      .waitFor();
    const slack = { name: 'Team', kind: 'slack', settings: { channel: '#soc' }, secrets: { bot_token: 'xoxb-1' } };
    const team = await service.request<{ channel_id: string }>('POST', '/platformapi/notification-channels', {
      body: { organization_code: 'DEMO', ...slack },
    });
    await page.getByRole('cell', { name: 'Team', exact: true }).waitFor();
    await button('Edit Critical cases').click();
    await choose('Channel', 'Team (DEMO)');
    await choose('Messages', 'Digest once a day');
    await dialog().getByLabel('Digest time').fill('06:45');
    await button('Save').click();
    await page.getByText(/^digest at 06:45 \(.+\), quiet 21:30/).waitFor();
    await service.request('DELETE', `/platformapi/notification-channels/${team.body.channel_id}`);
    const [onCall] = (await service.request<{ items: { channel_id: string }[] }>('GET', '/platformapi/notification-channels')).body.items;
    await storeFailedDelivery(service, onCall?.channel_id ?? '', 'The receiver answered with HTTP 500.');
    await page.reload();
    await page.getByRole('cell', { name: 'The receiver answered with HTTP 500.' }).waitFor();
    await expectAccessible(page);
    for (const look of FURTHER_LOOKS) {
      const narrow = await openPage(service.url, service.adminKey, { path: '/settings?tab=notifications', ...look });
      await narrow.getByText('The receiver answered with HTTP 500.').waitFor();
      await expectAccessible(narrow);
      await expectNoSidewaysScroll(narrow);
    }
    await button('Replay Notification channel test').click();
    await page
      .getByRole('row', { name: /Notification channel test/ })
      .getByText('Pending')
      .waitFor();
    await button('Delete On-call').click();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No channels yet').waitFor();
  });

  test('offers every setting of a channel', async () => {
    await open('Notifications');
    await button('Create channel').click();
    await choose('Organization', 'DEMO');
    await choose('Kind', 'Slack');
    await dialog().getByLabel('Name').fill('Quiet team');
    await dialog().getByLabel('Slack channel').fill('#soc');
    await dialog().getByLabel('Bot token').fill('xoxb-1');
    await choose('Details', 'No');
    expect(await dialog().getByLabel('API URL').count()).toBe(0);
    await button('Create').click();
    await page.getByRole('row', { name: /Quiet team DEMO Slack #soc/ }).waitFor();
    const { body } = await service.request<{ items: { channel_id: string; settings: object }[] }>(
      'GET',
      '/platformapi/notification-channels',
    );
    expect(body.items.map(({ settings }) => settings)).toEqual([{ channel: '#soc', api_url: 'https://slack.com/api', details: false }]);
    await service.request('DELETE', `/platformapi/notification-channels/${body.items[0]?.channel_id}`);
  });

  test('shows an analyst neither API keys nor the audit log nor any button', async () => {
    const { api_key: key } = await service.createKey('analyst');
    const analyst = await openPage(service.url, key, { path: '/settings?tab=api-keys&organization=DEMO' });
    await analyst.getByRole('cell', { name: 'DEMO', exact: true }).waitFor();
    expect(await analyst.getByRole('tab').allTextContents()).toEqual([
      'Organizations',
      'Knowledge',
      'Providers',
      'Remote agents',
      'Response',
      'SLA',
      'Task templates',
      'Retention',
    ]);
    for (const name of ['Organizations', 'Knowledge', 'Providers', 'Remote agents', 'Response', 'SLA', 'Task templates']) {
      await analyst.getByRole('tab', { name }).click();
      await waitFor(`the tab ${name} to load`, async () => (await analyst.getByRole('tabpanel').textContent()) !== '');
      await analyst.getByRole('tabpanel').locator('table, h3').first().or(analyst.getByText('No remote agents yet')).waitFor();
      expect(await analyst.getByRole('tabpanel').getByRole('button').allTextContents()).toEqual([]);
    }
  });
});
