import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** More than any page of the tests has. */
const MOST_STOPS = 200;
const MOST_RETURNS = 3;

/** Why a person cannot see which element has the focus. null: they see it. */
const FIND_HIDDEN_FOCUS = `(() => {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return null;
  const name = focused.outerHTML.slice(0, 200);
  // A box or a switch is invisible: its label or its icon stands for it.
  const parts = [focused, focused.nextElementSibling, focused.previousElementSibling, focused.parentElement].filter(Boolean);
  const shown = parts.find((part) => part.getBoundingClientRect().width > 1) ?? focused;
  const { left, right, top, bottom, width, height } = shown.getBoundingClientRect();
  if (width === 0 || right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight) return 'outside of the screen: ' + name;
  const middle = document.elementFromPoint((Math.max(left, 0) + Math.min(right, innerWidth)) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2);
  if (middle?.closest('header') && !focused.closest('header')) return 'behind the header: ' + name;
  // A text field shows its cursor.
  if (focused.matches('textarea, input:not([type=checkbox], [type=radio])')) return null;
  const hasRing = parts.some((part) => { const { outlineStyle, outlineWidth } = getComputedStyle(part); return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0; });
  return hasRing ? null : 'without a ring: ' + name;
})()`;

interface Stop {
  readonly hidden: string | null;
  readonly isReached: boolean;
  readonly isOutdated: boolean;
}

/** Finding an element by its role takes as long as many key presses, so the page keeps the wanted elements while keys are pressed. */
const keep = (wanted: Locator) => wanted.evaluateAll((elements) => void Object.assign(globalThis, { wanted: elements }));

const OPPOSITE = { Tab: 'Shift+Tab', 'Shift+Tab': 'Tab', ArrowDown: 'ArrowUp' } as const;

/** Presses a key until one of the wanted elements matches the selector. Each stop on the way must be visible. */
async function pressUntil(page: Page, key: keyof typeof OPPOSITE, wanted: Locator, selector = ':focus'): Promise<void> {
  const look = () =>
    page.evaluate<Stop>(`({
      hidden: ${FIND_HIDDEN_FOCUS},
      isReached: wanted.some((element) => element.matches('${selector}')),
      isOutdated: document.activeElement === document.body || !wanted.every((element) => element.isConnected),
    })`);
  await keep(wanted);
  let stop = await look();
  for (let presses = 0; presses < MOST_STOPS && !stop.isReached; presses += 1) {
    await page.keyboard.press(key);
    stop = await look();
    // Content that arrived meanwhile can move a stop off the screen. Coming back to it shows it again, unless it is really hidden.
    for (let tries = 0; stop.hidden !== null && tries < MOST_RETURNS; tries += 1) {
      await page.keyboard.press(OPPOSITE[key]);
      await page.keyboard.press(key);
      stop = await look();
    }
    expect(stop.hidden).toBeNull();
    if (stop.isOutdated) {
      await keep(wanted);
      stop = await look();
    }
  }
  if (!stop.isReached) expect.fail(`${key} does not reach ${wanted}`);
}

/** A dialog takes the focus a moment after it appears. A person who waits for it does not press a key too early. */
const HAS_DIALOG_FOCUS = `(() => {
  const dialog = [...document.querySelectorAll('[aria-modal=true]')].at(-1);
  return dialog === undefined || dialog.contains(document.activeElement);
})()`;

/** Moves the focus to the element as a person without a mouse does. Each stop on the way must be visible. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.first().waitFor();
  await page.waitForFunction(HAS_DIALOG_FOCUS);
  await pressUntil(page, key, target);
}

/** Moves the focus to a button or a link and presses it. */
export async function press(page: Page, target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Moves the focus to a field and replaces its text. */
export async function write(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

/** Opens a menu and presses one of its items. `atMenu` sees the open menu. */
export async function pressItem(page: Page, button: Locator, name: string, atMenu = async () => {}): Promise<void> {
  await press(page, button);
  const item = page.getByRole('menuitem', { name });
  await item.waitFor();
  await page.locator('[role=menuitem]:focus').waitFor();
  await atMenu();
  await pressUntil(page, 'ArrowDown', item);
  await page.keyboard.press('Enter');
}

/** Opens a list of options and chooses one. `atList` sees the open list. */
export async function choose(page: Page, field: Locator, name: string | RegExp, atList = async () => {}): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('ArrowDown');
  const option = page.getByRole('option', { name, exact: true });
  await option.waitFor();
  await atList();
  await pressUntil(page, 'ArrowDown', option, '[data-combobox-selected]');
  await page.keyboard.press('Enter');
  await option.waitFor({ state: 'hidden' });
}

/** The skip link leads past the menu of the pages. */
export async function skipToContent(page: Page): Promise<void> {
  await press(page, page.getByRole('link', { name: 'Skip to content' }));
}

export function expectFocus(page: Page, target: Locator): Promise<void> {
  return target.and(page.locator(':focus')).waitFor();
}

/** Tabs open with the arrow keys. */
export async function openTabByKeys(page: Page, name: RegExp): Promise<void> {
  const tab = page.getByRole('tab', { name });
  await tabTo(page, page.getByRole('tab', { selected: true }));
  for (let presses = 0; presses < 8 && (await tab.and(page.locator(':focus')).count()) === 0; presses += 1)
    await page.keyboard.press('ArrowRight');
  await page.getByRole('tab', { name, selected: true }).waitFor();
}
