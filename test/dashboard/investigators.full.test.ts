import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Plan } from '../../domain/playbook/playbook.js';
import { planStepId } from '../../domain/playbook/step-id.js';
import { asService } from '../../services/context.js';
import { findOrCreatePlaybook } from '../../services/playbooks/find-or-create.js';
import { planner } from '../../services/playbooks/planner.js';
import { registerWrittenPlaybooks } from '../../services/playbooks/register-written.js';
import { FINDING, investigate, recordAnswer } from '../api/support/records.js';
import {
  describeInBrowser,
  expectAccessible,
  expectNoSidewaysScroll,
  expectUsableOnEachScreen,
  NARROW,
  openPage,
} from '../support/dashboard.js';
import { startTestService, type TestService } from '../support/service.js';
import { shortPlanner } from './support/short-planner.js';

/** Sets the text area directly: `fill` takes many seconds for a plan of a thousand lines. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate(`{
    const field = document.querySelector('main textarea');
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(field, ${JSON.stringify(text)});
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }`);
}

describeInBrowser('the investigators', () => {
  let service: TestService;
  let place: string;

  beforeAll(async () => {
    service = await startTestService({ dashboard: true, worker: false });
    const { organization_uuid: organizationUuid } = await service.sendAlert();
    const { playbookUuid } = await findOrCreatePlaybook(service.database.pg, organizationUuid, 'Odd DNS traffic', shortPlanner);
    place = `/investigators/${playbookUuid}`;
  });
  afterAll(() => service?.stop());

  const open = (path: string, looks = {}) => openPage(service.url, service.adminKey, { path, ...looks });

  test('lists alert types, origin and runs', async () => {
    const page = await open('/investigators');
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Odd DNS traffic', exact: true }) });
    await row.getByText('generated').waitFor();
    await row.getByText('plan of Command and control alerts').waitFor();
    await row.getByText('0', { exact: true }).waitFor();
    await expectAccessible(page);
    await row.getByRole('link', { name: 'Odd DNS traffic' }).click();
    await page.getByRole('region', { name: 'Plan steps' }).waitFor();
  });

  test('shows the dependencies and the purpose of each step', async () => {
    const page = await open(place);
    const steps = page.getByRole('region', { name: 'Plan steps' });
    await steps.getByRole('button', { name: /^find .*Indicators in the alert/ }).waitFor();
    // The administration flow checks the form of a plan on each screen.
    await expectUsableOnEachScreen(page);
    const proposal = steps.getByRole('button', { name: /^propose each answer Isolate machine.*after / }).first();
    await proposal.click();
    await page.getByRole('status').getByText('proposed when the verdict', { exact: false }).waitFor();
    await steps
      .getByRole('button', { name: /^ask each ip Get enrichment/ })
      .first()
      .press('Enter');
    await page.getByRole('status').getByText('+45 Malicious reputation').waitFor();
    await expectAccessible(page);
  });

  test('validates an edited plan, saves it as the next version and pins a version', async () => {
    const page = await open(`${place}?tab=edit`);
    await page.getByText('JSON', { exact: true }).click();
    const plan = page.getByRole('textbox', { name: 'Plan' });
    const before = await plan.inputValue();
    await paste(page, before.replace('endpointDetection.listMachines', 'endpointDetection.noSuchSkill'));
    await page.getByRole('button', { name: 'Save as new version' }).click();
    const refusal = page.getByText('The skill endpointDetection.noSuchSkill does not exist', { exact: false });
    await refusal.first().waitFor();
    expect(await refusal.count()).toBe(1);
    await expectAccessible(page);
    await paste(page, before.replace('"why": "', '"why": "Edited. '));
    await page.getByRole('button', { name: 'Save as new version' }).click();
    await page.waitForURL('**version=2*');
    await page.getByRole('button', { name: /^find .*Indicators in the alert/ }).click();
    await page.getByRole('status').getByText('Edited.', { exact: false }).waitFor();
    await page.getByRole('combobox', { name: 'Plan version' }).click();
    await page.getByRole('option', { name: 'Version 1 by the service' }).click();
    await page.getByRole('button', { name: 'Pin this version' }).click();
    await page.getByText('version 1, pinned').waitFor();
    await page.getByRole('tab', { name: 'Edit' }).click();
    await page.getByText('JSON', { exact: true }).click();
    expect(await plan.inputValue()).toBe(before);
    await page.getByRole('button', { name: 'Unpin' }).click();
    await page.getByText('version 2', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Export as code' }).click();
    await page.getByText('npm run playbook:eject -- "Odd DNS traffic"').waitFor();
  });

  test('shows an analyst a read-only plan', async () => {
    const { api_key: key } = await service.createKey('analyst');
    const page = await openPage(service.url, key, { path: `${place}?tab=edit` });
    await page.getByRole('tab', { name: 'JSON' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Plan' }).getAttribute('readonly')).not.toBeNull();
    expect(await page.getByRole('button', { name: /Save|Pin/ }).count()).toBe(0);
  });

  test('draws the past runs of a written investigator', async () => {
    await registerWrittenPlaybooks(asService(service.database.db), [{ name: 'oftenRun', alertTypes: ['Run often'] }]);
    const machines = { connector: 'endpoint-detection', skillId: 'List machines', afterMs: 0, tookMs: 40 };
    const logons = { connector: 'endpoint-detection', skillId: 'List machine logon users', afterMs: 60, tookMs: 1200 };
    for (const calls of [[machines, logons], [machines]]) {
      const alert = await service.sendAlert({ alert_type: 'Run often' });
      const answers = await Promise.all(calls.map((call) => recordAnswer(service, alert, call)));
      await investigate(service, alert, { evidence: [...answers, { ...FINDING, kind: 'gap', points: 0 }] });
    }
    const page = await open('/investigators');
    await page.getByRole('link', { name: 'oftenRun' }).click();
    await page.getByText('Steps of the last 2 investigations', { exact: false }).waitFor();
    const steps = page.getByRole('region', { name: 'Past run steps' });
    await steps.getByRole('button', { name: /^find .*Indicators in the alert/ }).waitFor();
    await steps.getByRole('button', { name: /^conclude .*Verdict.*after Get Enrichment, List machine logon users/ }).waitFor();
    await steps.getByRole('button', { name: /^ask 1 s List machine logon users.*after List machines$/ }).click();
    const about = page.getByRole('status');
    await about.getByText('Called in 1 of 2 investigations, after List machines').waitFor();
    await about.getByText('1 answer, typically 1 s; no failures.').waitFor();
    await about.getByText('Starts 60 ms after the first step.').waitFor();
    await steps.getByText('Endpoint detection').first().waitFor();
    await page.keyboard.press('Escape');
    await about.waitFor({ state: 'detached' });
    await steps.getByRole('button', { name: /^ask no time known Get Enrichment/ }).press('Enter');
    await about.getByText('no answer in 2 investigations', { exact: false }).waitFor();
    await expectAccessible(page);
  });

  test('draws the past runs of each plan version of a generated investigator', async () => {
    const alert = await service.sendAlert({ alert_type: 'Drawn twice' });
    const { playbookUuid } = await findOrCreatePlaybook(service.database.pg, alert.organization_uuid, 'Drawn twice', planner);
    const page = await open(`/investigators/${playbookUuid}?tab=ran`);
    await page.getByText('No runs yet').waitFor();
    await investigate(service, alert, { planVersion: 1 });
    await page.reload();
    await page
      .getByRole('region', { name: 'Past run steps' })
      .getByRole('button', { name: /^ask .*Get Enrichment/ })
      .waitFor();
    await page.getByRole('tab', { name: 'Steps' }).click();
    await page.getByRole('region', { name: 'Plan steps' }).waitFor();
  });

  test('gives a type that shares a plan its own, and deletes it', async () => {
    const [{ organization_uuid: organizationUuid }] = [await service.sendAlert()];
    await findOrCreatePlaybook(service.database.pg, organizationUuid, 'Bucket made public', planner);
    const { planUuid, playbookUuid } = await findOrCreatePlaybook(service.database.pg, organizationUuid, 'Bucket emptied', planner);
    // The plan of the service is the largest that a phone has to show.
    const page = await open(`/investigators/${planUuid}`, { viewport: NARROW, colorScheme: 'dark' });
    await page.getByText('The investigators of 2 alert types use this plan', { exact: false }).waitFor();
    await page.getByRole('region', { name: 'Plan steps' }).waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.goto(`/investigators/${playbookUuid}`);
    await page.getByRole('link', { name: 'Cloud alerts' }).waitFor();
    await page.getByRole('button', { name: 'Customize the plan for Bucket emptied' }).click();
    await page.getByText('This investigator uses the plan of its category', { exact: false }).waitFor({ state: 'hidden' });
    await page.getByRole('region', { name: 'Plan steps' }).waitFor();
    const deleted = new URL(page.url()).pathname;
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Bucket emptied?' });
    await dialog.getByText('Running investigations keep their plan', { exact: false }).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('link', { name: 'Cloud alerts' }).waitFor();
    expect(await page.getByRole('link', { name: 'Bucket emptied' }).count()).toBe(0);
    await page.goto(deleted);
    await page.getByText('takes no more alerts', { exact: false }).waitFor();
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
  });

  test('fits a narrow screen in dark mode', async () => {
    await registerWrittenPlaybooks(asService(service.database.db), [{ name: 'byHand', alertTypes: ['Written down'] }]);
    const page = await open('/investigators', { viewport: NARROW, colorScheme: 'dark' });
    await page.getByRole('table', { name: 'Investigators' }).waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'byHand' }).click();
    await page.getByText('Written in TypeScript').waitFor();
    await page.getByRole('link', { name: 'Written down' }).waitFor();
    await page.getByText('No runs yet').waitFor();
    await expectAccessible(page);
  });

  test('edits a step in a form, with the difference, a dry run on past alerts, and the keyboard only', async () => {
    const alert = await service.sendAlert({ alert_type: 'Edited in a form' });
    const { playbookUuid } = await findOrCreatePlaybook(service.database.pg, alert.organization_uuid, 'Edited in a form', planner);
    const page = await open(`/investigators/${playbookUuid}?tab=edit`);
    const changes = page.getByRole('region', { name: 'Changes' });
    await changes.getByText('No changes yet.').waitFor();
    const step = page.getByRole('button', { name: /Threat intelligence: Get enrichment/ }).first();
    await step.press('Enter');
    const points = page.getByRole('textbox', { name: 'Points 1' });
    const before = Number(await points.inputValue());
    await points.press('ArrowUp');
    await changes.getByText(`proves[0].points: ${before} → ${before + 1}`).waitFor();
    await page.getByRole('textbox', { name: 'Purpose' }).fill('');
    await page.getByText('Enter a purpose').waitFor();
    await page.getByRole('textbox', { name: 'Purpose' }).fill('Reputation first.');
    await page
      .getByRole('button', { name: /^Remove: Search third-party records/ })
      .first()
      .press('Enter');
    await changes.getByText('removed').waitFor();
    await expectAccessible(page);
    await service.startWorker();
    await page.getByRole('button', { name: 'Try on past alerts' }).press('Enter');
    await changes.getByRole('heading', { name: 'Effect on past alerts' }).waitFor();
    await changes
      .getByText(/\d+ past alert|nothing to compare/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Save as new version' }).press('Enter');
    await page.waitForURL('**version=2*');
    await service.stopWorker();
  });

  test('duplicates and moves steps in the form', async () => {
    const page = await open(`${place}?tab=edit`);
    const [find, machines, enrichment, ...others] = shortPlanner.planFor('Odd DNS traffic').steps.map(planStepId);
    const copyId = `${enrichment}-2`;
    await page.getByRole('button', { name: new RegExp(`^Duplicate: .*\\(${enrichment}\\)`) }).click();
    await page.getByRole('button', { name: `(${copyId})`, expanded: true }).waitFor();
    await page.getByRole('textbox', { name: 'Purpose' }).fill('Ask again.');
    await page.getByRole('button', { name: new RegExp(`^Move up: .*\\(${copyId}\\)`) }).click();
    await page.getByRole('button', { name: /^Move down: Find indicators/ }).click();
    await page.getByText('JSON', { exact: true }).click();
    const { steps } = Plan.parse(JSON.parse(await page.getByRole('textbox', { name: 'Plan' }).inputValue()));
    expect(steps.map(planStepId)).toEqual([machines, find, copyId, enrichment, ...others]);
    expect(steps.filter(({ why }) => why === 'Ask again.').map(planStepId)).toEqual([copyId]);
  });
});
