import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CaseDetail } from '../../domain/case/case.js';
import { FINDING, investigate, proposeIsolation } from '../api/support/records.js';
import { describeInBrowser, expectAccessible, expectNoSidewaysScroll, NARROW, openPage } from '../support/dashboard.js';
import { changeConnections } from '../support/rows.js';
import { startTestService, type TestService } from '../support/service.js';
import { storeConnection } from '../support/stored-connection.js';

describeInBrowser('the cases', () => {
  let service: TestService;
  let connectionId: string;

  beforeAll(async () => {
    service = await startTestService({ dashboard: true, worker: false });
    connectionId = await storeConnection(service.database.db, { name: 'Endpoints' });
  });
  afterAll(() => service?.stop());

  const open = (where: string, looks = {}) => openPage(service.url, service.adminKey, { path: where, ...looks });
  const dialog = (page: Page) => page.getByRole('dialog');
  const act = async (page: Page, action: string) => {
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  const newCase = async (given: Parameters<typeof investigate>[2] = {}) => investigate(service, await service.sendAlert(), given);
  const listCases = async (page: Page) => {
    const rows = await page.getByRole('table', { name: 'Cases' }).getByRole('row').allTextContents();
    return rows.flatMap((row) => /DEMO-CASE-\d+?(?=[a-z])/.exec(row)?.[0] ?? []);
  };

  test('filters by status, severity and assignee', async () => {
    const [grave, slight] = [await newCase(), await newCase({ evidence: [{ ...FINDING, points: -40 }] })];
    await service.createKey('analyst', 'DEMO', { name: 'dana' });
    await service.request('PATCH', `/platformapi/cases/${slight}`, { body: { assignee: 'dana', status: 'in_progress' } });
    const page = await open('/cases');
    await page.getByRole('table', { name: 'Cases' }).waitFor();
    expect(await listCases(page)).toEqual([slight, grave]);
    await expectAccessible(page);
    const only = async (expected: string, gone: string) => {
      await page.getByText(gone, { exact: true }).waitFor({ state: 'detached' });
      expect(await listCases(page)).toEqual([expected]);
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByText(gone, { exact: true }).waitFor();
    };
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'In progress' }).click();
    await only(slight, grave);
    await page.getByRole('combobox', { name: 'Severity' }).click();
    await page.getByRole('option', { name: 'high' }).click();
    await only(grave, slight);
    await page.getByRole('searchbox', { name: 'Search cases' }).fill(grave);
    await only(grave, slight);
    await page.getByRole('searchbox', { name: 'Assignee' }).fill('dana');
    await only(slight, grave);
    await page.getByRole('button', { name: 'Unassigned' }).click();
    await only(grave, slight);
    await page.getByRole('button', { name: 'Assigned to me' }).click();
    await page.getByText('No cases match these filters').waitFor();
  });

  test('shows the build that judged a case', async () => {
    const page = await open(`/cases/${await newCase({ build: '0123456789abcdef' })}`);
    await page.getByRole('tab', { name: 'Investigations (1)' }).click();
    await page.getByText(/, build 0123456789abcdef; started/).waitFor();
  });

  test('places a legal hold on a case and releases it', async () => {
    const page = await open(`/cases/${await newCase()}`);
    await act(page, 'Place legal hold…');
    await dialog(page).getByLabel('Reason').fill('A court asked.');
    await dialog(page).getByRole('button', { name: 'Place hold' }).click();
    await page.getByText('A court asked.').first().waitFor();
    await expectAccessible(page);
    await act(page, 'Release legal hold…');
    await dialog(page).getByLabel('Reason').fill('It ended.');
    await dialog(page).getByRole('button', { name: 'Release hold' }).click();
    await page.getByRole('status').filter({ hasText: 'A court asked.' }).waitFor({ state: 'detached' });
  });

  test('assigns, comments, overrides the verdict of, closes and reopens a case', async () => {
    const page = await open(`/cases/${await newCase()}`);
    await page.getByRole('article', { name: 'Known address' }).getByText('It is on a list.').waitFor();
    await page.getByRole('button', { name: 'Assign to me' }).click();
    await page.getByText('In progress', { exact: true }).waitFor();
    await page.getByRole('tab', { name: /Timeline/ }).click();
    await page.getByRole('textbox', { name: 'Comment' }).fill('Looked at it.\nNothing yet.');
    await page.getByRole('button', { name: 'Add comment' }).click();
    await page.getByText('Looked at it.').last().waitFor();
    await act(page, 'Set analyst verdict…');
    await dialog(page).getByLabel('Reason').fill('A test of ours.');
    await expectAccessible(page);
    await dialog(page).getByRole('combobox', { name: 'Verdict' }).click();
    await page.getByRole('option', { name: 'benign' }).click();
    await dialog(page).getByRole('button', { name: 'Set verdict' }).click();
    await page.getByText('Analyst verdict: benign').waitFor();
    await act(page, 'Close without classification…');
    const close = dialog(page).getByRole('button', { name: 'Close case' });
    await close.click();
    await dialog(page).getByText('Reason is required').waitFor();
    await dialog(page).getByLabel('Reason').fill('Nothing to do.');
    await close.click();
    await page.getByText('Closed', { exact: true }).first().waitFor();
    await act(page, 'Reopen');
    await page.getByText('Open', { exact: true }).waitFor();
  });

  test('closes a case as a false positive in two clicks, from its title in the list in three', async () => {
    const entities = [
      { kind: 'host', value: 'hr-ws-014' },
      { kind: 'user', value: 'dana.vries' },
    ] as const;
    const caseId = await newCase({ entities: [...entities] });
    const page = await open('/cases');
    expect(await page.title()).toBe('Cases · Alert investigator');
    const row = page.getByRole('row').filter({ has: page.getByText(caseId, { exact: true }) });
    await row.getByRole('link', { name: 'on hr-ws-014 · dana.vries' }).click();
    await page.waitForURL(`**/cases/${caseId}`);
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await expectAccessible(page);
    await page.getByRole('menuitem', { name: 'False positive' }).click();
    await page.getByText('Analyst verdict: benign').waitFor();
    expect(await page.title()).toContain(`on hr-ws-014 · dana.vries (${caseId})`);
    await page.goto('/cases');
    await row.getByText('Analyst: benign').waitFor();
  });

  test('renames a case, and takes and closes it with the keyboard alone', async () => {
    const caseId = await newCase();
    const page = await open('/cases');
    await page.getByText(caseId, { exact: true }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/cases/${caseId}`);
    await page.getByRole('button', { name: 'Assign to me' }).waitFor();
    await act(page, 'Rename…');
    await dialog(page).getByLabel('Title').fill('Emotet in HR');
    await dialog(page).getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'Emotet in HR' }).waitFor();
    await page.keyboard.press('a');
    await page.getByText('In progress', { exact: true }).waitFor();
    await page.keyboard.press('e');
    await page.locator('[role=menuitem]:focus', { hasText: 'False positive' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('[role=menuitem]:focus', { hasText: 'Benign positive' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Closed', { exact: true }).first().waitFor();
    const { body } = await service.request<CaseDetail>('GET', `/platformapi/cases/${caseId}`);
    expect(body).toMatchObject({ title: 'Emotet in HR', classification: 'benign_positive' });
    await page.keyboard.press('Shift+?');
    await dialog(page).getByText('Close the case').waitFor();
    await expectAccessible(page);
  });

  test('merges a case and undoes the merge', async () => {
    const [one, other] = [await newCase(), await newCase()];
    const page = await open(`/cases/${one}`);
    await act(page, 'Merge into another case…');
    await dialog(page).getByLabel('Case').fill('DEMO-CASE-4711');
    await dialog(page).getByLabel('Reason').fill('The same mail.');
    await dialog(page).getByRole('button', { name: 'Merge' }).click();
    await dialog(page).getByRole('alert').waitFor();
    await dialog(page).getByLabel('Case').fill(other);
    await dialog(page).getByRole('button', { name: 'Merge' }).click();
    await page.getByText('Its alerts moved to', { exact: false }).getByRole('link', { name: other }).click();
    await page.getByText('Merged cases').waitFor();
    await page.getByRole('link', { name: one, exact: true }).click();
    await act(page, 'Undo merge…');
    await dialog(page).getByLabel('Reason').fill('Not the same.');
    await dialog(page).getByRole('button', { name: 'Undo merge' }).click();
    await page.getByText('Its alerts moved to', { exact: false }).waitFor({ state: 'detached' });
  });

  test('exports a case as Markdown, JSON and STIX', async () => {
    const caseId = await newCase();
    const page = await open(`/cases/${caseId}`);
    for (const [name, file] of [
      ['Markdown', `${caseId}.md`],
      ['JSON', `${caseId}.json`],
      ['STIX 2.1', `${caseId}.stix.json`],
    ] as const) {
      await page.getByRole('button', { name: 'Export' }).click();
      const download = page.waitForEvent('download');
      await page.getByRole('menuitem', { name, exact: true }).click();
      expect((await download).suggestedFilename()).toBe(file);
    }
  });

  test('links from the overview to a proposed action and refuses it with a reason', async () => {
    const alert = await service.sendAlert();
    const caseId = await investigate(service, alert);
    await proposeIsolation(service, alert.alert_id, connectionId);
    await changeConnections(service, {}, { state: 'broken', stateReason: 'The key is not accepted.' });
    const page = await open('/');
    await page.getByRole('heading', { name: 'Alerts over time' }).waitFor();
    await page.getByText('The key is not accepted.').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: `Isolate files.north.example of Demo organization from the network (${caseId})` }).click();
    const proposal = page.getByRole('region', { name: 'Isolate files.north.example' });
    await proposal.getByRole('button', { name: 'Refuse' }).click();
    const refuse = dialog(page).getByRole('button', { name: 'Refuse' });
    await refuse.click();
    await dialog(page).getByText('Reason is required').waitFor();
    await dialog(page).getByLabel('Reason').fill('It is the file server.');
    await refuse.click();
    await proposal.getByText('Refused', { exact: true }).waitFor();
    await proposal.getByText('It is the file server.', { exact: false }).waitFor();
  });

  test('offers a release time only for an action that can be undone', async () => {
    const alert = await service.sendAlert();
    const caseId = await investigate(service, alert);
    await proposeIsolation(service, alert.alert_id, connectionId, {
      skillId: 'Cut it off',
      input: { machine_id: 'm2' },
      proposalKey: 'undoable',
    });
    const scan = {
      verb: 'runAntivirusScan',
      skillId: 'Run antivirus scan',
      input: { machine_id: 'm3', scan_type: 'Quick' },
      proposalKey: 'not undoable',
    };
    await proposeIsolation(service, alert.alert_id, connectionId, scan);
    const page = await open(`/cases/${caseId}`);
    const asked = async (name: string) => {
      await page.getByRole('region', { name }).getByRole('button', { name: 'Approve' }).click();
      await dialog(page).getByLabel('Reason').waitFor();
    };
    await asked('antivirus scan');
    expect(await dialog(page).getByLabel('Release after').count()).toBe(0);
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await asked('Isolate files.north.example');
    await dialog(page).getByText('Isolate files.north.example of Demo organization from the network').waitFor();
    await dialog(page).getByLabel('Release after').fill('3');
    await dialog(page).getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('region', { name: 'Isolate files.north.example' }).getByText('Approved', { exact: true }).waitFor();
    const { body } = await service.request<CaseDetail>('GET', `/platformapi/cases/${caseId}`);
    expect(body.proposals.map((proposal) => [proposal.skill_id, proposal.release_after_hours])).toEqual([
      ['Cut it off', 3],
      ['Run antivirus scan', null],
    ]);
  });

  test('shows the overview on a narrow screen in dark mode, and an error when it fails', async () => {
    await newCase();
    const page = await open('/', { viewport: NARROW, colorScheme: 'dark' });
    await page.getByRole('heading', { name: 'Verdicts' }).waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.route('**/platformapi/overview*', (route) => route.fulfill({ status: 403, json: { detail: 'Counting is off.' } }));
    await page.getByText('7 days').click();
    await page.getByRole('alert').getByText('Counting is off.').waitFor();
  });
});
