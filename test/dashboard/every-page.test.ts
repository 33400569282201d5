import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMPUTERS, INDICATORS, PEOPLE } from '../../connectors/kit/stand-in/company.js';
import { PAGES } from '../../domain/pages.js';
import type { CreatedCredentialLink } from '../../services/credential-links/wire.js';
import { describeInBrowser, expectUsableOnEachScreen, newPage, openPage } from '../support/dashboard.js';
import type { TestService } from '../support/service.js';
import { createConnection, startWithThirdParties, type WithThirdParties } from '../support/with-third-parties.js';

const [PC] = COMPUTERS;
const [DANA] = PEOPLE;
/** For people who are not signed in. */
const ENTRIES: readonly string[] = [PAGES.signIn, PAGES.join, PAGES.handover];

describeInBrowser('every page', () => {
  let service: TestService;
  let stop: WithThirdParties['stop'];
  const params = new Map<string, string>();
  const tokens = new Map<string, string>();

  beforeAll(async () => {
    const started = await startWithThirdParties({ dashboard: true });
    ({ service, stop } = started);
    for (const fields of Object.values(started.thirdParties.connections))
      await createConnection(service, { instance_name: `Our ${fields.connector}`, ...fields });
    const { alert_id: alertId } = await service.sendAlert({
      alert_type: 'Malware detected',
      alert_content: `host=${PC.dnsName} user=${DANA.email} file=parcel-label.exe sha256=${INDICATORS.malwareSha256} action=quarantined`,
    });
    await service.waitForStatus(alertId, 15);
    const { case_id: caseId } = await service.readCase(alertId);
    const { body } = await service.request<{ items: { playbook_id: string }[] }>('GET', '/platformapi/playbooks');
    params.set('$alertId', alertId);
    params.set('$caseId', caseId);
    params.set('$playbookId', body.items[0]?.playbook_id ?? '');
    params.set('$connector', 'endpoint-detection');
    const asked = { organization_code: 'DEMO', connector: 'endpoint-detection', instance_name: 'From the customer' };
    const link = await service.request<CreatedCredentialLink>('POST', '/platformapi/credential-links', {
      body: { ...asked, settings: started.thirdParties.connections.endpointDetection.settings },
    });
    tokens.set(PAGES.handover, link.body.path.replace(PAGES.handover, ''));
    tokens.set(PAGES.join, '#in_token');
  });
  afterAll(() => stop?.());

  const open = async (pattern: string) => {
    const address = pattern.replaceAll(/\$\w+/g, (name) => params.get(name) ?? expect.fail(`Add an example of ${name} to this test.`));
    if (!ENTRIES.includes(pattern)) return openPage(service.url, service.adminKey, { path: address });
    const page = await newPage(service.url);
    await page.goto(address + (tokens.get(pattern) ?? ''));
    return page;
  };
  test.each(Object.entries(PAGES))('%s fits each screen and is accessible', async (_, pattern) => {
    const page = await open(pattern);
    await expectUsableOnEachScreen(page, () => untilLoaded(page));
    expect(await page.title()).not.toBe('');
  });
});

async function untilLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.locator('.mantine-Loader-root, .mantine-Skeleton-root').first().waitFor({ state: 'detached' });
}
