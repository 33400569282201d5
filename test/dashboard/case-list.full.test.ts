import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CaseDetail, CaseSummary } from '../../domain/case/case.js';
import { FINDING, investigate } from '../api/support/records.js';
import { describeInBrowser, expectAccessible, expectNoSidewaysScroll, NARROW, openPage, selectLooks } from '../support/dashboard.js';
import { ago, changeCases, changeCaseVisits } from '../support/rows.js';
import { startTestService, type TestService, waitFor } from '../support/service.js';

describeInBrowser('the list of cases', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ dashboard: true, worker: false });
    await service.createKey('analyst', 'DEMO', { name: 'dana' });
  });
  afterAll(() => service?.stop());

  const open = (where = '/cases', looks = {}) => openPage(service.url, service.adminKey, { path: where, ...looks });
  const newCase = async (points = 80) => investigate(service, await service.sendAlert(), { evidence: [{ ...FINDING, points }] });
  const table = (page: Page) => page.getByRole('table', { name: 'Cases' });
  const row = (page: Page, caseId: string) => table(page).getByRole('row').filter({ hasText: caseId });
  /** In one step: a row that goes away in between would never answer. */
  const listed = async (page: Page) =>
    table(page)
      .getByRole('checkbox', { name: /CASE/ })
      .evaluateAll((boxes) => boxes.map((box) => box.getAttribute('aria-label')?.replace('Select ', '')));
  const read = async (caseId: string) => (await service.request<CaseDetail>('GET', `/platformapi/cases/${caseId}`)).body;
  const patch = (caseId: string, body: object) => service.request('PATCH', `/platformapi/cases/${caseId}`, { body });
  const closeAll = async () => {
    const { body } = await service.request<{ items: CaseSummary[] }>('GET', '/platformapi/cases?status=open&limit=200');
    for (const { case_id } of body.items) await patch(case_id, { status: 'closed' });
  };

  test('closes all listed cases as false positives with three clicks, and undoes it', async () => {
    await closeAll();
    const cases = [await newCase(), await newCase(), await newCase()];
    const page = await open('/cases?status=open');
    await row(page, cases[0] ?? '').waitFor();
    let clicks = 0;
    const click = async (role: 'checkbox' | 'button' | 'menuitem', name: string) => {
      clicks += 1;
      await page.getByRole(role, { name }).first().click();
    };
    await click('checkbox', 'Select all rows of this page');
    await page.getByText('3 selected').waitFor();
    await expectAccessible(page);
    await click('button', 'Close');
    await click('menuitem', 'False positive');
    await page.getByText('Close as false positive: 3 of 3 cases changed').waitFor();
    expect(clicks).toBe(3);
    for (const caseId of cases) expect(await read(caseId)).toMatchObject({ status: 'closed', classification: 'false_positive' });
    await page.getByText('No cases match these filters').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undo: Close as false positive: 3 of 3 cases changed').waitFor();
    for (const caseId of cases) expect(await read(caseId)).toMatchObject({ status: 'open', classification: null, analyst_verdict: null });
    await row(page, cases[0] ?? '').waitFor();
  });

  test('assigns, tags, merges and investigates selected cases, and shows refusals', async () => {
    await closeAll();
    const [target, merged] = [await newCase(), await newCase()];
    const page = await open('/cases?status=open');
    const select = async (...caseIds: string[]) => {
      for (const caseId of caseIds) await page.getByRole('checkbox', { name: `Select ${caseId}`, exact: true }).check();
    };
    const dialog = page.getByRole('dialog');
    await select(target, merged);
    await page.getByRole('button', { name: 'Assign…' }).click();
    await dialog.getByLabel('Assignee').fill('dana');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Assign' }).click();
    await page.getByText('Assign cases: 2 of 2 cases changed').waitFor();
    await select(target, merged);
    await page.getByRole('button', { name: 'Tag…' }).click();
    await dialog.getByLabel('Tags').fill('VPN');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Add tags' }).click();
    await row(page, target).getByText('vpn').waitFor();
    expect(await read(target)).toMatchObject({ assignee: 'dana', tags: ['vpn'] });
    await page.getByRole('button', { name: 'Undo' }).click();
    await waitFor('the tags to go', async () => (await read(target)).tags.length === 0);
    await select(target, merged);
    await page.getByRole('button', { name: 'Merge…' }).click();
    await dialog.getByRole('combobox', { name: 'Into case' }).click();
    await page.getByRole('option', { name: target, exact: true }).click();
    await dialog.getByLabel('Reason').fill('One attack.');
    await dialog.getByRole('button', { name: 'Merge' }).click();
    await page.getByText('Merge cases: 1 of 1 case changed').waitFor();
    expect((await read(target)).alert_ids).toHaveLength(2);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undo: Merge cases: 1 of 1 case changed').waitFor();
    expect((await read(target)).alert_ids).toHaveLength(1);
    expect(await read(merged)).toMatchObject({ merged_into: null, status: 'open' });
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    for (const expected of ['1 of 1 case changed', '0 of 1 case changed']) {
      await select(target);
      await page.getByRole('button', { name: 'Investigate again…' }).click();
      await dialog.getByText('You cannot undo this.').waitFor();
      await dialog.getByRole('button', { name: 'Investigate' }).click();
      await page.getByText(`Investigate again: ${expected}`).waitFor();
    }
    await page.getByText(/still running/).waitFor();
    await expectAccessible(page);
  });

  test('is usable with the keyboard only', async () => {
    await closeAll();
    const caseId = await newCase();
    const page = await open('/cases?status=open');
    await page.getByRole('checkbox', { name: `Select ${caseId}` }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('e');
    await page.getByRole('menuitem', { name: 'False positive' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText(/Close as .*: 1 of 1 case changed/).waitFor();
    expect((await read(caseId)).status).toBe('closed');
  });

  test('filters by tag, time, visit and disagreement, counts the values, and sorts', async () => {
    await closeAll();
    const [grave, slight] = [await newCase(), await newCase(-60)];
    await patch(slight, { tags: ['printer'], analyst_verdict: { verdict: 'malicious', reason: 'x' } });
    const page = await open('/cases?status=open');
    const expectListed = (...caseIds: string[]) =>
      waitFor(`${caseIds} to be listed`, async () => String(await listed(page)) === String(caseIds));
    await expectListed(slight, grave);
    await row(page, slight).getByText('Analyst: malicious').waitFor();
    await page.getByRole('combobox', { name: 'Verdict' }).click();
    await page.getByRole('option', { name: 'Benign (1)' }).waitFor();
    await page.getByRole('option', { name: 'Suspicious (0)' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Severity' }).getByRole('button').click();
    await expectListed(grave, slight);
    await page.getByRole('columnheader', { name: 'Opened' }).getByRole('button').click();
    await expectListed(slight, grave);
    await page.getByRole('searchbox', { name: 'Tag' }).fill('printer');
    await expectListed(slight);
    await page.getByRole('searchbox', { name: 'Tag' }).fill('');
    await expectListed(slight, grave);
    await page.getByRole('button', { name: 'Analyst disagrees' }).click();
    await expectListed(slight);
    await page.getByRole('button', { name: 'Analyst disagrees' }).click();
    await page.getByLabel('Opened before').fill('2020-01-01T00:00');
    await page.getByLabel('Opened before').blur();
    await page.getByText('No cases match these filters').waitFor();
    await changeCaseVisits(service, {}, { seenAt: ago({ hours: 2 }) });
    await changeCases(service, {}, { modifiedAt: ago({ hours: 3 }) });
    await changeCases(service, { caseId: grave }, { modifiedAt: ago({}) });
    await page.goto('/cases');
    await page.getByRole('button', { name: 'Since my last visit (2 hours ago)' }).click();
    await expectListed(grave);
  });

  test('exports the listed cases', async () => {
    await closeAll();
    const caseId = await newCase();
    const page = await open('/cases?status=open');
    await row(page, caseId).waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('cases.csv');
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines.filter((line) => line.includes('-CASE-'))).toEqual([expect.stringContaining(caseId)]);
  });

  test('saves a view, shares it with a colleague, and deletes it', async () => {
    const page = await open('/cases?status=open&severity=high');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save current view…' }).click();
    await page.getByLabel('Name').fill('High and open');
    await page.getByLabel('Share in the organization').check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { api_key: key } = await service.createKey('analyst', null);
    const other = await openPage(service.url, key, { path: '/cases' });
    await other.getByRole('button', { name: 'Views' }).click();
    await other.getByRole('menuitem', { name: /^High and open/ }).click();
    await other.waitForURL(/severity=high/);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Edit High and open…' }).click();
    await page.getByLabel('Name').fill('Renamed');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Edit Renamed…' }).click();
    await page.getByRole('button', { name: 'Delete view' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save current view…' }).waitFor();
    expect(await page.getByRole('menuitem', { name: /Renamed/ }).count()).toBe(0);
  });

  test('edits the tags of a case on its page', async () => {
    const caseId = await newCase();
    const page = await open(`/cases/${caseId}`);
    await page.getByRole('combobox', { name: 'Tags' }).fill('Phishing');
    await page.keyboard.press('Enter');
    await waitFor('the tag to be stored', async () => (await read(caseId)).tags.includes('phishing'));
    await expectAccessible(page);
  });

  test.each(
    selectLooks([
      ['light', { width: 1280, height: 1080 }],
      ['dark', { width: 1440, height: 1080 }],
      ['light', NARROW],
      ['dark', NARROW],
    ]),
  )('fits the screen in %s mode at %o', async (colorScheme, viewport) => {
    const caseId = await newCase();
    await patch(caseId, {
      tags: ['vpn', 'finance', 'night', 'travel'],
      assignee: 'dana.vries',
      status: 'in_progress',
      analyst_verdict: { verdict: 'benign', reason: 'x' },
    });
    const page = await open('/cases', { viewport, colorScheme });
    await row(page, caseId).waitFor();
    await expectNoSidewaysScroll(page);
    const [scrollWidth = 0, clientWidth = 0] = await page
      .getByRole('region', { name: 'Cases' })
      .evaluate((element) => [element.scrollWidth, element.clientWidth]);
    if (viewport.width > NARROW.width) expect(scrollWidth).toBe(clientWidth);
    // Only the title with its tags and the reasons are longer than their cells.
    const cut = await page
      .locator('th, td:nth-child(n + 3):not(:nth-child(6)), td:last-child *')
      .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent));
    expect(cut).toEqual([]);
    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });
});
