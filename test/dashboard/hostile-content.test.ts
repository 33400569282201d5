import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, expectAccessible, openPage } from '../support/dashboard.js';
import { changeCases } from '../support/rows.js';
import { startTestService, type TestService } from '../support/service.js';
import { CASE_TABS, openCaseTab } from './support/case-tabs.js';

const ATTACK = `<img src=x onerror="window.attacked=1"><script>window.attacked=2</script><a href="javascript:window.attacked=3">x</a>`;

describeInBrowser('the pages', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ dashboard: true });
  });
  afterAll(() => service?.stop());

  const completed = async (alert: Parameters<TestService['sendAlert']>[0]) => {
    const { alert_id: alertId } = await service.sendAlert(alert);
    return service.waitForStatus(alertId, 15);
  };

  test('never runs content of an alert or of a user', async () => {
    await service.request('POST', '/platformapi/organizations', { body: { organization_code: 'EVIL', name: ATTACK } });
    const [text, json] = [
      await completed({ organization_code: 'EVIL', alert_type: `T ${ATTACK}`, alert_content: ATTACK, created_at_source: 2 ** 53 - 1 }),
      await completed({ organization_code: 'EVIL', alert_type: `J ${ATTACK}`, alert_content: JSON.stringify({ [ATTACK]: [ATTACK] }) }),
    ];
    const caseId = text.case_id ?? '';
    await service.request('POST', '/platformapi/playbooks', { body: { organization_code: 'EVIL', alert_type: `T ${ATTACK}` } });
    const change = (body: object) => service.request('PATCH', `/platformapi/cases/${caseId}`, { body });
    await change({ comment: ATTACK });
    // The name of a key is shorter, but earlier versions stored any text.
    await changeCases(service, { caseId }, { assignee: ATTACK });
    await change({ analyst_verdict: { verdict: 'benign', reason: ATTACK } });
    const page = await openPage(service.url, service.adminKey, { path: '/alerts?organization=EVIL' });
    const expectUnharmed = async (shown: number) => {
      await page
        .getByText(ATTACK, { exact: false })
        .nth(shown - 1)
        .waitFor();
      expect(await page.evaluate('window.attacked')).toBeUndefined();
      expect(await page.locator('img[src="x"], a[href^="javascript"]').count()).toBe(0);
      await expectAccessible(page);
    };
    await expectUnharmed(3);
    await page.goto(`/alerts/${text.alert_id}`);
    await expectUnharmed(2);
    await page.goto(`/alerts/${json.alert_id}`);
    expect(await page.getByRole('region', { name: 'Alert content' }).textContent()).toContain('onerror=');
    await page.goto(`/cases?organization=EVIL&assignee=${encodeURIComponent(ATTACK)}`);
    await expectUnharmed(1);
    await page.goto(`/cases/${caseId}`);
    for (const name of CASE_TABS) {
      await openCaseTab(page, name);
      await expectUnharmed(2);
    }
    await page.goto('/investigators');
    await expectUnharmed(2);
    await page.goto('/settings');
    await expectUnharmed(1);
    await page.goto(`/sign-in?to=${encodeURIComponent('javascript:window.attacked=4')}`);
    expect(await page.evaluate('window.attacked')).toBeUndefined();
  });
});
