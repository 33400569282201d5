import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EvidenceDraft } from '../../domain/verdict/evidence.js';
import { FINDING, investigate, proposeIsolation, recordAnswer } from '../api/support/records.js';
import { describeInBrowser, expectAccessible, expectUsableOnEachScreen, openPage } from '../support/dashboard.js';
import { ago, changeProposals } from '../support/rows.js';
import { seedAlerts } from '../support/seeded-lists.js';
import { type CaseService, startCaseService } from './support/case-service.js';

const note = (step: string, title: string, more: Partial<EvidenceDraft> = {}): EvidenceDraft => ({
  ...FINDING,
  step,
  title,
  kind: 'note',
  points: 0,
  reason: `About ${step}.`,
  techniques: [],
  ...more,
});

/** One entry of each kind that a case shows. */
const EVIDENCE: readonly EvidenceDraft[] = [
  FINDING,
  { ...FINDING, step: 'trip', title: 'Booked trip', points: -20, reason: 'Dana is in Lisbon.', techniques: [] },
  note('gap', 'List alerts: no answer', { kind: 'gap', reason: 'The third party is down.' }),
  note('stated', 'Stated in the alert', { source: null }),
  note('record-incident-1', 'Other record: Beacon'),
  note('machine', 'Details of hr-ws-014'),
  note('proposed', 'Proposed: Isolate machine files.north.example'),
  ...['one', 'two', 'three'].map((step) => note(step, 'List machines: No finding')),
];

describeInBrowser('the work on a case', () => {
  let service: CaseService['service'];
  let connectionId: string;
  let openCase: CaseService['openCase'];
  let read: CaseService['read'];

  beforeAll(async () => {
    ({ service, connectionId, openCase, read } = await startCaseService());
  });
  afterAll(() => service?.stop());

  const open = (where: string) => openPage(service.url, service.adminKey, { path: where });
  const dialog = (page: Page) => page.getByRole('dialog');

  test('shows reasons, open questions and proposals once, and collapses answers without findings', async () => {
    const { alert, caseId } = await openCase({ evidence: [...EVIDENCE] });
    await proposeIsolation(service, alert.alert_id, connectionId);
    const page = await open(`/cases/${caseId}`);
    await page.getByText('3 answered, no findings').waitFor();
    for (const text of ['It is on a list.', 'Dana is in Lisbon.', 'The third party is down.', 'About record-incident-1.'])
      expect(await page.getByText(text, { exact: true }).count(), text).toBe(1);
    expect(await page.getByText('Isolate files.north.example of Demo organization from the network').count()).toBe(1);
    expect(await page.getByText('Proposed: Isolate', { exact: false }).count()).toBe(0);
    expect(await page.getByText('Not answered', { exact: false }).count()).toBe(0);
    for (const text of ['About one.', 'About machine.']) expect(await page.getByText(text).count(), text).toBe(0);
    await page.getByRole('button', { name: 'Show: 1 answer that does not change the score' }).click();
    await page.getByText('About machine.').waitFor();
    await page.getByRole('button', { name: 'Show: 3 answered, no findings' }).click();
    await page.getByText('About one.').waitFor();
    await expectAccessible(page);
  });

  test('shows an answer as a table, and as JSON in a tab', async () => {
    const alert = await service.sendAlert({ alert_type: 'Malware on host' });
    const answered = await recordAnswer(service, alert, {
      connector: 'endpoint-detection',
      skillId: 'List machines',
      afterMs: 10,
      tookMs: 5,
      output: { items: [{ computerDnsName: 'hr-ws-014', riskScore: 'High', ip: null }] },
    });
    const page = await open(`/cases/${await investigate(service, alert, { evidence: [answered] })}`);
    await page.getByRole('button', { name: /List machines \(main\)/ }).click();
    const table = page.getByRole('table', { name: 'Answer items' });
    await table.getByRole('cell', { name: 'hr-ws-014' }).waitFor();
    expect(await table.getByRole('columnheader').count()).toBe(2);
    await page.getByRole('tab', { name: 'Raw JSON' }).click();
    await page.getByRole('region', { name: "Third party's answer" }).getByText('"riskScore": "High"', { exact: false }).waitFor();
    await expectAccessible(page);
  });

  test('explains a case under investigation instead of empty fields', async () => {
    const { caseId } = await openCase({ concluded: false });
    const page = await open(`/cases/${caseId}`);
    await page.getByRole('status').filter({ hasText: 'The investigation is in progress since' }).waitFor();
    await page.getByText('Under investigation', { exact: true }).waitFor();
    await expectAccessible(page);
  });

  test('names the target in the dialog, warns of a stop switch before the click, and approves in two clicks', async () => {
    const { alert, caseId } = await openCase();
    await proposeIsolation(service, alert.alert_id, connectionId, { input: { machine_id: 'm1' } });
    await service.request('POST', '/platformapi/response/stop', { body: { organization_code: 'DEMO', reason: 'Audit until noon.' } });
    const page = await open(`/cases/${caseId}`);
    await page.getByRole('status').filter({ hasText: 'Audit until noon.' }).waitFor();
    await page.getByText('host: files.north.example').waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await dialog(page).getByText('Isolate files.north.example of Demo organization from the network').waitFor();
    await dialog(page).getByText('Audit until noon.', { exact: false }).waitFor();
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Approved', { exact: true }).waitFor();
    await service.request('POST', '/platformapi/response/resume', { body: { organization_code: 'DEMO', reason: 'It is noon.' } });
    // The write is done and kept in place: the page offers its end.
    await changeProposals(service, { alertUuid: alert.alert_uuid }, { state: 'done', endedAt: ago({}) });
    await page.reload();
    await page.getByRole('button', { name: 'Release now' }).click();
    await dialog(page).getByLabel('Reason').fill('It is clean.');
    await dialog(page).getByRole('button', { name: 'Release now' }).click();
    await page.getByText('End the isolation of files.north.example of Demo organization').waitFor();
    expect((await read(caseId)).proposals.map(({ state, undo_of }) => [state, undo_of !== null])).toEqual([
      ['done', false],
      ['scheduled', true],
    ]);
  });

  test('assigns a case to one of the offered people with the keyboard', async () => {
    const { caseId } = await openCase();
    const page = await open(`/cases/${caseId}`);
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Assign…' }).click();
    const field = dialog(page).getByRole('combobox', { name: 'Assignee' });
    await field.fill('rob');
    await page.getByRole('option', { name: 'robin' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog(page).getByRole('button', { name: 'Assign' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    expect((await read(caseId)).assignee).toBe('robin');
  });

  test('adds tasks from a template and marks one as done, with the keyboard', async () => {
    const template = { alert_type: 'Malware on host', tasks: ['Call the owner', 'Check the backup'] };
    await service.request('PUT', '/platformapi/organizations/DEMO/task-templates', { body: template });
    const { caseId } = await openCase();
    const page = await open(`/cases/${caseId}?tab=tasks`);
    await page.getByRole('button', { name: 'Add 2 suggested tasks' }).press('Enter');
    await page.getByRole('checkbox', { name: 'Call the owner' }).press('Space');
    await page.getByText(/Done by first admin/).waitFor();
    await page.getByRole('tab', { name: 'Tasks (1 of 2 done)' }).waitFor();
    await page.getByRole('textbox', { name: 'New task' }).fill('Write the report');
    await page.keyboard.press('Enter');
    await page.getByRole('checkbox', { name: 'Write the report' }).waitFor();
    await expectAccessible(page);
    await page.goto('/settings?tab=task-templates');
    await page.getByRole('table', { name: 'Task templates' }).getByText('Check the backup').waitFor();
    await page.getByRole('button', { name: 'Edit Malware on host' }).click();
    await dialog(page).getByLabel('Tasks').fill('Only one');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await page.getByRole('table', { name: 'Task templates' }).getByText('Only one').waitFor();
    await expectAccessible(page);
  });

  test('adds and downloads a file, and never opens it', async () => {
    const { caseId } = await openCase();
    const page = await open(`/cases/${caseId}?tab=files`);
    const content = Buffer.from('<script>window.attacked = 1</script>');
    await page.getByLabel('File to add').setInputFiles({ name: 'page.html', mimeType: 'text/html', buffer: content });
    const link = page.getByRole('table', { name: 'Files' }).getByRole('link', { name: 'page.html' });
    const download = page.waitForEvent('download');
    await link.click();
    expect((await download).suggestedFilename()).toBe('page.html');
    // Even without the download attribute of the link.
    const direct = page.waitForEvent('download');
    await page.evaluate(`location.href = ${JSON.stringify(await link.getAttribute('href'))}`);
    await direct;
    expect(await page.evaluate('window.attacked')).toBeUndefined();
    await expectAccessible(page);
  });

  test('writes a comment in Markdown that mentions a person, without HTML, images and unsafe links', async () => {
    const { caseId } = await openCase();
    const page = await open(`/cases/${caseId}?tab=timeline`);
    const field = page.getByRole('textbox', { name: 'Comment' });
    await field.pressSequentially('Ask @rob');
    await page.getByRole('option', { name: 'robin' }).waitFor();
    await page.keyboard.press('Enter');
    expect(await field.inputValue()).toBe('Ask @robin ');
    await field.pressSequentially('about **this**');
    await page.getByRole('button', { name: 'Add comment' }).click();
    await page.locator('strong', { hasText: 'this' }).waitFor();
    expect((await read(caseId)).timeline.at(-1)?.mentions).toEqual(['robin']);
    const comment = [
      '<img src=x onerror="window.attacked=1"> <script>window.attacked=2</script> <b>bold</b>',
      '![beacon](https://evil.example/pixel.png) ![x](javascript:window.attacked=3)',
      '[bad](javascript:window.attacked=4) [data](data:text/html,x) [file](file:///etc/passwd)',
      '[good](https://good.example/page) <https://auto.example/>',
    ].join('\n\n');
    await service.request('PATCH', `/platformapi/cases/${caseId}`, { body: { comment } });
    await page.reload();
    const good = page.getByRole('link', { name: 'good' });
    await good.waitFor();
    expect(await good.getAttribute('rel')).toContain('noopener');
    expect(await good.getAttribute('href')).toBe('https://good.example/page');
    expect(await page.locator('.markdown img, .markdown script, .markdown b').count()).toBe(0);
    const targets = await page.locator('.markdown a').evaluateAll((links) => links.map((link) => String(link.getAttribute('href'))));
    expect(targets.every((target) => target.startsWith('https://'))).toBe(true);
    expect(await page.evaluate('window.attacked')).toBeUndefined();
    await expectAccessible(page);
  });

  test('closes a case as a false positive in two clicks', async () => {
    const { caseId } = await openCase();
    const page = await open(`/cases/${caseId}`);
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('menuitem', { name: 'False positive' }).click();
    await page.getByText('Analyst verdict: benign').waitFor();
  });

  test('counts the linked alerts that it does not show', async () => {
    const { caseId } = await openCase({ entities: [{ kind: 'domain', value: 'many.example' }] });
    const linked = { organization: 'DEMO', provider: 'siem', type: 'x', content: 'x', status: 15, createdAt: ago({}) };
    const entity = { kind: 'domain', value: 'many.example' } as const;
    await seedAlerts(service, Array(52).fill({ ...linked, entity }));
    const page = await open(`/cases/${caseId}?tab=linked`);
    await page.getByText('Shows the 50 most related of 52 linked alerts.').waitFor();
    await expectAccessible(page);
  });

  // The flow of a case checks the other tabs on each screen.
  test('fits each screen with evidence of each kind, in light and dark', async () => {
    const { alert, caseId } = await openCase({ evidence: [...EVIDENCE] });
    await proposeIsolation(service, alert.alert_id, connectionId);
    const page = await open(`/cases/${caseId}`);
    await page.getByRole('tabpanel', { name: /^Evidence/ }).waitFor();
    await page.getByText('Expires').first().waitFor();
    await expectUsableOnEachScreen(page);
  });
});
