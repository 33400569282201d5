import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMPUTERS, INDICATORS, PEOPLE } from '../../activities/connectors/kit/stand-in/company.js';
import { PAGES } from '../../domain/pages.js';
import { describeInBrowser, expectAccessible, openPage } from '../support/dashboard.js';
import { type TestService, waitFor } from '../support/service.js';
import { createConnection, startWithThirdParties, type WithThirdParties } from '../support/with-third-parties.js';

const [PC] = COMPUTERS;
const [DANA] = PEOPLE;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1280, height: 860 },
  { width: 390, height: 844 },
];

const FITS = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';

describeInBrowser('every page', () => {
  let service: TestService;
  let stop: WithThirdParties['stop'];
  const params = new Map<string, string>();

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
  });
  afterAll(() => stop?.());

  // The pages for people who are not signed in have their own tests.
  const pages = Object.entries(PAGES).filter(([name]) => name !== 'signIn' && name !== 'join' && name !== 'handover');
  test.each(pages)('%s fits each screen and is accessible in light and dark', async (_, pattern) => {
    const address = pattern.replaceAll(/\$\w+/g, (name) => params.get(name) ?? expect.fail(`Add an example of ${name} to this test.`));
    const page = await openPage(service.url, service.adminKey, { path: address });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const size of SIZES) {
        await page.setViewportSize(size);
        await untilLoaded(page);
        // The layout follows a new size of the window with a delay.
        await waitFor(`${address} to fit ${size.width} pixels`, () => page.evaluate<boolean>(FITS));
      }
      await expectAccessible(page);
    }
    expect(await page.title()).not.toBe('');
  });
});

async function untilLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.locator('.mantine-Loader-root, .mantine-Skeleton-root').first().waitFor({ state: 'detached' });
}
