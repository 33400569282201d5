import type { Page } from 'playwright-core';

export const CASE_TABS = [/^Evidence/, /^Timeline/, /^Events/, /^Graph/, /^Investigations/, /^Linked/];

export async function openCaseTab(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('tab', { name }).click();
  await page.getByRole('tabpanel', { name }).waitFor();
}
