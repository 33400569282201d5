import { type Category, findCategories, findClearCategories } from '../alert/category.js';

/** The part of a written playbook that decides which alerts it takes. */
export interface Choosable {
  readonly alertTypes: readonly string[];
  readonly categories: readonly Category[];
}

/** The usual reason. A case notes every other one. */
export const DECLARED_TYPE = 'The playbook declares this alert type.';

export interface Choice<Playbook> {
  readonly playbook: Playbook;
  /** A sentence for the case. It holds nothing of the alert's content, because Temporal shows it. */
  readonly reason: string;
}

/**
 * The written playbook for an alert type that none of them declares: one whose declared type means the same, or the only one that
 * takes all categories of the type. null: no playbook fits, or several do.
 */
export function choosePlaybookByType<Playbook extends Choosable>(alertType: string, written: readonly Playbook[]): Choice<Playbook> | null {
  const alias = findAlias(alertType, written);
  if (alias) return { playbook: alias.playbook, reason: `The alert type means the same as "${alias.alertType}".` };
  const found = findByCategory(alertType, written);
  return found && { playbook: found.playbook, reason: `The alert type belongs to the category ${found.categories.join(' and ')}.` };
}

/** For an alert type that says nothing about the alert: the playbook for the rule that the content names. */
export function choosePlaybookByRule<Playbook extends Choosable>(ruleName: string, written: readonly Playbook[]): Choice<Playbook> | null {
  const found = findByCategory(ruleName, written);
  return (
    found && {
      playbook: found.playbook,
      reason: `The rule that the alert names belongs to the category ${found.categories.join(' and ')}.`,
    }
  );
}

/** Whether the content of an alert can say more about it than its type. */
export function isUnknownType(alertType: string): boolean {
  return findCategories(alertType).length === 0 && findClearCategories(alertType).length === 0;
}

function findByCategory<Playbook extends Choosable>(text: string, written: readonly Playbook[]) {
  const categories = findClearCategories(text);
  if (categories.length === 0) return null;
  const [playbook, ...others] = written.filter((each) => categories.every((category) => each.categories.includes(category)));
  return playbook && others.length === 0 ? { playbook, categories } : null;
}

function findAlias<Playbook extends Choosable>(alertType: string, written: readonly Playbook[]) {
  for (const key of listAliasKeys(alertType)) {
    const matches = written.flatMap((playbook) => {
      const declared = playbook.alertTypes.find((each) => toAliasKey(each) === key);
      return declared === undefined ? [] : [{ playbook, alertType: declared }];
    });
    const [only, ...others] = matches;
    if (only) return others.length === 0 ? only : null;
  }
  return null;
}

/** The vendor or product in front of a type: `[SIEM] …`, `Vendor product: …`, `Vendor - …`. */
const PREFIXES = [/^\s*(?:\[[^\]]{1,60}\]|\([^)]{1,60}\)|【[^】]{1,60}】)\s*/u, /^[^:：|]{1,60}[:：|]\s*/u, /^[^–—-]{1,60}\s[–—-]\s+/u];

/** The type as a whole first, then without its prefixes. */
function listAliasKeys(alertType: string): string[] {
  const spellings = [alertType];
  for (const prefix of PREFIXES) spellings.push(...spellings.map((spelling) => spelling.replace(prefix, '')));
  return [...new Set(spellings.map(toAliasKey))].filter((key) => key !== '');
}

const SMALL_WORDS = new Set('a an the of on in at for to by from with was is has been and'.split(' '));

/** Different orders, forms and small words of a type share one key: `Hosts: malware` and `Malware on a host`. */
function toAliasKey(alertType: string): string {
  const words = alertType
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '' && !SMALL_WORDS.has(word));
  return [...new Set(words.map(toSingular))].sort().join(' ');
}

function toSingular(word: string): string {
  if (word.length <= 3) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return /(?:ss|us|is)$/.test(word) ? word : word.replace(/s$/, '');
}
