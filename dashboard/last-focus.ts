/** The element that had the focus last. Some dialogs load after the element that opened them is gone, such as the item of a menu. */
let lastFocused: HTMLElement | null = null;

document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement) lastFocused = findLasting(target);
});

/** An item disappears with its menu. The button of the menu stays. */
function findLasting(focused: HTMLElement): HTMLElement {
  const buttonId = focused.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return document.getElementById(buttonId ?? '') ?? focused;
}

export function getLastFocused(): HTMLElement | null {
  return lastFocused;
}
