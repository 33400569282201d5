import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AlertListItem } from '../../domain/alert/alert.js';
import { describeInBrowser, expectUsableOnEachScreen, openPage, SCREENS } from '../support/dashboard.js';
import type { TestService } from '../support/service.js';
import { ENTITIES, HOST, startWithKnownHost } from './support/known-host.js';

describeInBrowser('search and entities', () => {
  let service: TestService;
  let alert: AlertListItem;
  let caseId: string;

  beforeAll(async () => {
    ({ service, alert, caseId } = await startWithKnownHost());
  });
  afterAll(() => service?.stop());

  const open = (path: string) => openPage(service.url, service.adminKey, { path });
  const hostPath = `/entity?${new URLSearchParams({ kind: 'host', value: HOST, organization: 'DEMO' })}`;
  const hostRows = (page: Page) => page.getByRole('table', { name: 'Entity alerts' }).locator('tbody tr');
  const searchFor = async (page: Page, text: string) => {
    await page.keyboard.press('Control+K');
    await page.getByRole('textbox', { name: 'Search text' }).fill(text);
  };

  test('has an accessible entity page on each screen, in light and dark', async () => {
    const page = await open(hostPath);
    const device = page.getByRole('region', { name: 'Device' });
    await device.getByText('Windows11').waitFor();
    await hostRows(page).first().waitFor();
    expect(await page.getByRole('figure').textContent()).toContain('3 alerts.');
    await expectUsableOnEachScreen(page);
  });

  test('runs a skill on an entity from its page', async () => {
    const page = await open(hostPath);
    await page.getByRole('region', { name: 'Actions' }).getByRole('link', { name: 'List machines', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'List machines' });
    await dialog.waitFor();
    expect(await dialog.locator(`input[value="${HOST}"]`).count()).toBe(1);
  });

  test('opens a value from outside as its page, never as an address', async () => {
    const page = await open(`/alerts/${alert.alert_id}`);
    await page.getByRole('link', { name: 'https://evil.example/' }).click();
    await page.getByRole('heading', { name: 'https://evil.example/<img' }).waitFor();
    expect(new URL(page.url()).origin).toBe(new URL(service.url).origin);
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    await page.goto('/entity?kind=planet&value=x');
    await page.getByText('No entity at this address').waitFor();
  });

  test('shows the results of a search by group on each screen, in light and dark', async () => {
    const page = await open('/');
    // The button is a field on a large screen and an icon on a phone.
    for (const { viewport } of SCREENS) {
      await page.setViewportSize(viewport);
      await page.getByRole('button', { name: /^Search( Ctrl K)?$/ }).click();
      await page.getByRole('textbox', { name: 'Search text' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('textbox', { name: 'Search text' }).waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: /^Search( Ctrl K)?$/ }).click();
    await page.getByRole('textbox', { name: 'Search text' }).fill('platyp');
    await page.getByRole('button', { name: 'The platypus did it.' }).waitFor();
    await page.getByRole('textbox', { name: 'Search text' }).fill('malwar');
    await page.getByRole('button', { name: `Malware on ${HOST}, run 2` }).waitFor();
    await expectUsableOnEachScreen(page);
    await page.getByRole('textbox', { name: 'Search text' }).fill('nothing has this');
    await page.getByText('No results').waitFor();
  });

  test('offers actions: pages, a test alert, the stop switch, and the case of the page', async () => {
    const page = await open(`/cases/${caseId}`);
    await page.getByRole('tab', { name: 'Graph' }).waitFor();
    await searchFor(page, 'close this case');
    await page.getByRole('button', { name: 'Close this case as false positive' }).click();
    await page.getByText('Closed', { exact: true }).first().waitFor();
    await searchFor(page, 'stop or');
    await page.getByRole('button', { name: 'Stop or resume changes' }).click();
    await page.getByRole('button', { name: 'Stop all changes' }).waitFor();
    await searchFor(page, 'test alert');
    await page.getByRole('button', { name: 'Send a test alert' }).click();
    await page.getByRole('dialog').getByRole('button', { name: /send/i }).waitFor();
  });

  test('does not offer the stop switch to an analyst', async () => {
    const { api_key: key } = await service.createKey('analyst');
    const page = await openPage(service.url, key, { path: '/' });
    await searchFor(page, '');
    await page.getByRole('button', { name: 'Go to cases' }).waitFor();
    expect(await page.getByRole('button', { name: 'Stop or resume changes' }).count()).toBe(0);
  });

  test('draws the entities of a case on each screen, in light and dark', async () => {
    const page = await open(`/cases/${caseId}?tab=graph`);
    const graph = page.getByRole('region', { name: 'Case alerts and entities' });
    await graph.getByRole('link', { name: HOST }).waitFor();
    expect(await graph.getByRole('link').count()).toBe(1 + ENTITIES.length);
    await expectUsableOnEachScreen(page, async () => {
      const boxes = await graph
        .locator('.react-flow__node')
        .evaluateAll((nodes) => nodes.map((node) => node.getBoundingClientRect().toJSON()));
      for (const [place, one] of boxes.entries())
        for (const other of boxes.slice(place + 1))
          expect(one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top).toBe(true);
    });
    await graph.getByRole('link', { name: HOST }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `${HOST} Host` }).waitFor();
  });
});
