import { toAccountName } from '../entity/account-name.js';

/**
 * Replaces {item} by the item and {account} by the item without the domain of an account. The item is text from outside: in a query
 * it must stay a quoted string.
 */
export function fillText(text: string, item: string): string {
  return text.replaceAll(/\{(item|account)\}/g, (_, name) => JSON.stringify(name === 'account' ? toAccountName(item) : item));
}
