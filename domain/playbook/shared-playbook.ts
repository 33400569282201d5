import { ALERT_TYPE_MAX_LENGTH } from '../alert/alert.js';
import { CATEGORIES, type Category, chooseSeverity, findCategories, findClearCategories } from '../alert/category.js';
import { findTactic, findTacticByWords, type StatedTactics, TACTICS, type Tactic } from '../alert/tactics.js';
import { clip, toLine } from '../text.js';
import type { Severity } from '../verdict/evidence.js';

/** The generated playbook of a category. The playbooks of its alert types use its plan until a person edits theirs. */
export interface SharedPlaybook {
  /** The same for all types of the category, and unique in an organization. */
  readonly sharedFor: string;
  readonly name: string;
  /** The planner asks the questions of these categories; without any, it asks every question. */
  readonly categories: readonly Category[];
  readonly severity: Severity | null;
}

/** For alerts of no known category, and for types that come while an organization may get no more playbooks. */
export const GENERAL_PLAYBOOK: SharedPlaybook = { sharedFor: 'any', name: 'Other alerts', categories: [], severity: null };

/** More in an hour are a mistake of a sender. Such types get the general plan until the hour has passed. */
export const NEW_PER_HOUR = { categories: 50, types: 5000 } as const;

/** A generated playbook that no person edited, and that no alert used for this long, is deleted. */
export const UNUSED_DAYS = 90;

/** By the alert type alone. */
export function sharedPlaybookFor(alertType: string): SharedPlaybook {
  const categories = findCategories(alertType);
  if (categories.length > 0) return ofCategories(categories);
  const tactic = findTacticByWords(alertType);
  return tactic === null ? GENERAL_PLAYBOOK : ofTactic(tactic);
}

/** By the rule, the tactics and the techniques that the content names, for an alert type that says nothing. */
export function sharedPlaybookForContent(stated: StatedTactics): SharedPlaybook {
  const categories = stated.ruleName === null ? [] : findClearCategories(stated.ruleName);
  if (categories.length > 0) return ofCategories(categories);
  const tactic = findTactic(stated);
  return tactic === null ? GENERAL_PLAYBOOK : ofTactic(tactic);
}

/** The stored key of a shared playbook, read back. */
export function readShared(sharedFor: string): SharedPlaybook {
  const tactic = TACTICS.find((each) => sharedFor === `${TACTIC_PREFIX}${each}`);
  if (tactic !== undefined) return ofTactic(tactic);
  const names = sharedFor.split('+');
  const categories = CATEGORIES.filter((category) => names.includes(category));
  return categories.length === 0 ? GENERAL_PLAYBOOK : ofCategories(categories);
}

/** Whether its plan asks every question, so that it fits each alert of a type that says nothing. */
export function asksEverything({ categories }: SharedPlaybook): boolean {
  return categories.length === 0;
}

function ofCategories(categories: readonly Category[]): SharedPlaybook {
  return { sharedFor: categories.join('+'), name: toName(categories), categories, severity: chooseSeverity(categories) };
}

const TACTIC_PREFIX = 'tactic-';
const SEVERE_TACTICS: readonly Tactic[] = ['impact', 'exfiltration', 'lateral-movement', 'credential-access'];

/** A tactic says what an attacker wants, not what the alert is about: its plan asks every question. */
function ofTactic(tactic: Tactic): SharedPlaybook {
  if (tactic === 'command-and-control') return ofCategories([tactic]);
  const severity = SEVERE_TACTICS.includes(tactic) ? 'high' : 'medium';
  return { sharedFor: `${TACTIC_PREFIX}${tactic}`, name: toName([tactic]), categories: [], severity };
}

function toName(categories: readonly string[]): string {
  const words = categories.map((category) => category.replaceAll('-', category === 'sign-in' ? '-' : ' '));
  const list = new Intl.ListFormat('en', { type: 'conjunction' }).format(words);
  return `${list.charAt(0).toUpperCase()}${list.slice(1)} alerts`;
}

/** The name of an alert type's playbook. The sender wrote the type, so it may have hidden characters or none to show. */
export function nameOfType(alertType: string): string {
  return clip(toLine(alertType).replace(/ {2,}/g, ' '), ALERT_TYPE_MAX_LENGTH) || 'Alert type without a visible name';
}
