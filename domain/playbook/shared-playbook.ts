import { type Category, findCategories } from '../alert/category.js';

/** A generated playbook for all alert types of the same categories: their plans are equal. */
export interface SharedPlaybook {
  /** The same for all types that share it, and unique in an organization. */
  readonly sharedFor: string;
  readonly name: string;
}

/** For types of no known category, and for types that come while an organization may get no more playbooks. */
export const GENERAL_PLAYBOOK: SharedPlaybook = { sharedFor: 'any', name: 'Other alerts' };

/** More kinds of alerts in one hour are a mistake of a sender. They get the general plan until the hour has passed. */
export const NEW_PLAYBOOKS_PER_HOUR = 50;

/** A generated playbook that no person edited, and that no alert used for this long, is deleted. */
export const UNUSED_DAYS = 90;

export function sharedPlaybookFor(alertType: string): SharedPlaybook {
  const categories = findCategories(alertType);
  return categories.length === 0 ? GENERAL_PLAYBOOK : { sharedFor: categories.join('+'), name: toName(categories) };
}

function toName(categories: readonly Category[]): string {
  const words = categories.map((category) => category.replaceAll('-', category === 'sign-in' ? '-' : ' '));
  const list = new Intl.ListFormat('en', { type: 'conjunction' }).format(words);
  return `${list.charAt(0).toUpperCase()}${list.slice(1)} alerts`;
}
