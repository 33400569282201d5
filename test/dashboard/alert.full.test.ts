import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { COMPUTERS, INDICATORS, PEOPLE } from '../../connectors/kit/stand-in/company.js';
import type { ThirdParties } from '../../connectors/stand-ins.js';
import type { AlertDetail } from '../../services/alerts/wire.js';
import { describeInBrowser, expectAccessible, expectNoSidewaysScroll, FURTHER_LOOKS, openPage } from '../support/dashboard.js';
import { changeConnections } from '../support/rows.js';
import { type TestService, waitFor } from '../support/service.js';
import { createConnection, startWithThirdParties, type WithThirdParties } from '../support/with-third-parties.js';
import { CASE_TABS, openCaseTab } from './support/case-tabs.js';

const [PC, OTHER_PC] = COMPUTERS;
const [DANA] = PEOPLE;
const MALWARE = {
  alert_provider: 'malware-protection',
  alert_type: 'Malware detected',
  alert_content: `host=${PC.dnsName} user=${DANA.email} file=parcel-label.exe sha256=${INDICATORS.malwareSha256} action=quarantined`,
};

describeInBrowser('the alert page', () => {
  let service: TestService;
  let thirdParties: ThirdParties;
  let stop: WithThirdParties['stop'];
  const connectionIds = new Map<string, string>();

  beforeEach(async () => {
    await service.forgetAnswers();
    await changeConnections(service, {}, { blockedUntil: null });
  });
  beforeAll(async () => {
    const env = { TEMPORAL_WEB_URL: 'http://temporal.example' };
    ({ service, thirdParties, stop } = await startWithThirdParties({ dashboard: true, env }));
    // The stand-in completes an isolation immediately.
    thirdParties.standIns.endpointDetection.state.actionSeconds = 0;
    for (const fields of Object.values(thirdParties.connections))
      connectionIds.set(fields.connector, await createConnection(service, { instance_name: `Our ${fields.connector}`, ...fields }));
  });
  afterAll(() => stop?.());

  const open = (where: string, looks = {}) => openPage(service.url, service.adminKey, { path: where, ...looks });
  const completed = async (alert: Parameters<TestService['sendAlert']>[0]) => {
    const { alert_id: alertId } = await service.sendAlert(alert);
    return service.waitForStatus(alertId, 15);
  };
  /** A reload removes the mark. */
  const mark = (page: Page) => page.evaluate('window.isSamePage = true');
  const isSamePage = (page: Page) => page.evaluate<boolean>('window.isSamePage === true');

  test('shows a new alert until it completes, and its case leads to an approved isolation', async () => {
    const page = await open('/alerts');
    await page.getByText('No alerts yet').waitFor();
    await expectAccessible(page);
    await mark(page);
    const { alert_id: alertId } = await service.sendAlert(MALWARE);
    const row = page.getByRole('row').filter({ hasText: alertId });
    await row.getByText('Completed').waitFor();
    await row.getByRole('link', { name: /-CASE-/ }).click();
    await page.getByText('malicious', { exact: true }).first().waitFor();
    expect(await page.getByRole('article').first().textContent()).toContain('Malicious reputation');
    await expectAccessible(page);

    const proposal = page.getByRole('region', { name: `Isolate ${PC.dnsName}` });
    await proposal.getByText('Needs approval').waitFor();
    await proposal.getByRole('button', { name: 'Approve' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`It affects ${PC.dnsName}`, { exact: false }).waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Reason').fill('It has to be off the network.');
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await proposal.first().getByText('Done', { exact: true }).waitFor();
    expect(thirdParties.standIns.endpointDetection.state.actions.length).toBeGreaterThan(0);
    expect(await isSamePage(page)).toBe(true);
  });

  test('shows the steps of an investigation and re-runs it from one of them', async () => {
    const { alert_id: alertId } = await completed({ ...MALWARE, alert_content: `${MALWARE.alert_content} again` });
    const page = await open(`/alerts/${alertId}`);
    const steps = page.getByLabel('Investigation steps');
    await steps.getByText('Get Enrichment (Our threat-intelligence)').waitFor();
    await steps
      .getByText(/took \d+ (ms|s)/)
      .first()
      .waitFor();
    await page.getByText(INDICATORS.malwareSha256).first().waitFor();
    expect(await page.getByRole('link', { name: 'Open in Temporal Web' }).getAttribute('href')).toBe(
      `http://temporal.example/namespaces/${service.settings.TEMPORAL_NAMESPACE}/workflows/${alertId}`,
    );
    await expectAccessible(page);
    await steps.getByRole('button', { name: 'Re-run from this step' }).last().click();
    await page.getByText('Earlier investigations').waitFor();
    await steps.getByText('Reused').first().waitFor();
    await page.getByRole('heading', { name: alertId }).getByText('Completed').waitFor();
    await page.getByRole('button', { name: 'Re-run investigation' }).click();
    await expectAccessible(page);
    await page.getByRole('menuitem', { name: /Re-run failed steps/ }).click();
    await page.getByText('investigation 2', { exact: false }).waitFor();
    await service.waitForStatus(alertId, 15);
  });

  test('shows the calls in progress with their attempt, and then the proposed actions', async () => {
    const { faults } = thirdParties.standIns.threatIntelligence;
    faults.next({ times: 2, status: 500, match: ({ url }) => url.startsWith('/v2/') });
    const { alert_id: alertId } = await service.sendAlert({
      ...MALWARE,
      alert_content: MALWARE.alert_content.replace(PC.dnsName, OTHER_PC.dnsName),
    });
    await waitFor('the API to report a retry', async () => {
      const { body } = await service.request<AlertDetail>('GET', `/platformapi/alerts/${alertId}`);
      return body.under_way?.some(({ attempt }) => attempt > 1);
    });
    // Without a worker the investigation stays in this state.
    await service.stopWorker();
    const page = await open(`/alerts/${alertId}`);
    const asked = page.getByRole('region', { name: 'In progress' });
    await asked.getByText('Get Enrichment (Our threat-intelligence)').first().waitFor();
    await asked
      .getByText(/^Attempt [23]$/)
      .first()
      .waitFor();
    await asked.getByText('waiting for a free worker', { exact: false }).first().waitFor();
    await expectAccessible(page);
    await service.startWorker();
    await page.getByRole('heading', { name: alertId }).getByText('Completed').waitFor();
    await asked.waitFor({ state: 'detached' });
    const proposed = page.getByRole('region', { name: 'Proposed actions' });
    await proposed.getByText('Needs approval').first().waitFor();
    await expectAccessible(page);
    await proposed.getByRole('link', { name: `Isolate ${OTHER_PC.dnsName}` }).click();
    await page.waitForURL('**/cases/**');
  });

  test('shows the connection that the investigation waits for, and then its result', async () => {
    const { state } = thirdParties.standIns.threatIntelligence;
    const key = state.apiKey;
    state.apiKey = 'another-key';
    const { alert_id: alertId } = await service.sendAlert({ ...MALWARE, alert_content: `${MALWARE.alert_content} third` });
    const page = await open(`/alerts/${alertId}`);
    await page.getByText('Waiting for Our threat-intelligence').waitFor();
    await page.getByText('waiting for new credentials', { exact: false }).waitFor();
    await page.getByRole('heading', { name: alertId }).getByText('Inprogress').waitFor();
    await expectAccessible(page);
    await page.goto('/');
    await page.getByRole('table', { name: 'Connections that need attention' }).getByText('1 investigation waiting').waitFor();
    await page.goto(`/alerts/${alertId}`);
    state.apiKey = key;
    await service.request('POST', `/platformapi/connections/${connectionIds.get('threat-intelligence')}/test`, { body: {} });
    await page.getByRole('heading', { name: alertId }).getByText('Completed').waitFor();
    expect(await page.getByText('Waiting for Our threat-intelligence').count()).toBe(0);
  });

  test('opens a test alert after it is sent', async () => {
    const page = await open('/alerts');
    await page.getByRole('button', { name: 'Send test alert' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Alert name').fill('Made by hand');
    await dialog.getByLabel('Content').fill('{"user":"dana","from":"203.0.113.9"}');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Send' }).click();
    await page.waitForURL('**/alerts/DEMO-CUSTOM-*');
    await page.getByRole('region', { name: 'Alert content' }).waitFor();
    expect(await page.getByRole('region', { name: 'Alert content' }).textContent()).toBe(
      '{\n  "user": "dana",\n  "from": "203.0.113.9"\n}',
    );
    await page.getByRole('heading', { name: 'DEMO-CUSTOM-1' }).getByText('Completed').waitFor();
  });

  test.each(FURTHER_LOOKS)('fits a narrow screen in dark mode, as the case page does', async (look) => {
    const { alert_id: alertId, case_id: caseId } = await completed({ ...MALWARE, alert_content: `${MALWARE.alert_content} fourth` });
    const page = await open(`/alerts/${alertId}`, look);
    await page.getByLabel('Investigation steps').waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.goto(`/cases/${caseId}`);
    for (const name of CASE_TABS) {
      await openCaseTab(page, name);
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    }
  });

  test('shows until when a third party limits the rate', async () => {
    thirdParties.standIns.threatIntelligence.faults.next({
      status: 429,
      headers: { 'retry-after': '600' },
      match: ({ url }) => url.startsWith('/v2/'),
    });
    const { alert_id: alertId } = await service.sendAlert({ ...MALWARE, alert_content: `${MALWARE.alert_content} throttled` });
    const page = await open(`/alerts/${alertId}`);
    // One or both questions to this third party, if the second one waits too when the page opens.
    const limits = page.getByRole('region', { name: 'In progress' }).getByText('rate limited by the third party until', { exact: false });
    await limits.first().waitFor();
    await expectAccessible(page);
  });

  test('marks the entities that belong to the organization, with the reason', async () => {
    const alert = await completed({
      ...MALWARE,
      alert_content: `host=${OTHER_PC.dnsName} user=${DANA.email} src=10.20.4.99 dst=203.0.113.200`,
    });
    const domain = DANA.email.slice(DANA.email.indexOf('@') + 1);
    for (const body of [
      { kind: 'domain', value: domain },
      { kind: 'network', value: '10.20.0.0/16' },
    ])
      await service.request('POST', '/platformapi/organizations/DEMO/knowledge', { body });
    const page = await open(`/alerts/${alert.alert_id}`);
    await page.getByText('own network 10.20.0.0/16').waitFor();
    await page.getByText(`account of the own domain ${domain}`).first().waitFor();
    const marked = (value: string) => page.locator(`a:has-text("${value}") + .mantine-Badge-root`).filter({ hasText: 'own' });
    expect(await marked('10.20.4.99').count()).toBe(1);
    expect(await marked('203.0.113.200').count()).toBe(0);
    await expectAccessible(page);
    for (const { viewport } of FURTHER_LOOKS) {
      await page.setViewportSize(viewport);
      await expectNoSidewaysScroll(page);
    }
  });
});
