import { toEpochSeconds } from '../alert/intake-source.js';
import { alertTime } from '../alert/source-time.js';
import { SAME_TIME_SECONDS } from '../record/record-facts.js';
import { hasBegun, placesIn } from './place.js';
import type { Condition, Proof } from './playbook.js';

/** The facts of an alert that conditions compare an answer with. */
export interface ConditionFacts {
  /** The places that the alert names, in lower case. */
  readonly places: readonly string[];
  /** The time of the alert, in epoch seconds. */
  readonly at: number;
  /** The content in lower case: it may name a place in any language. */
  readonly text: string;
  /** The values of the alert's entities, in lower case. */
  readonly entities: readonly string[];
}

interface ComparedAlert {
  readonly createdAt: number;
  readonly createdAtSource: number | null;
  readonly content: string;
}

export function readAlertFacts(alert: ComparedAlert, entities: readonly { readonly value: string }[]): ConditionFacts {
  const content = readQuotedPrintable(alert.content);
  return {
    places: placesIn(content),
    at: alertTime(alert),
    text: content.toLowerCase(),
    entities: entities.map(({ value }) => value.toLowerCase()),
  };
}

/** A mail writes `Bogotá` as `Bogot=C3=A1`. */
function readQuotedPrintable(content: string): string {
  if (!/quoted-printable/i.test(content)) return content;
  return content.replace(/=\r?\n/g, '').replace(/(?:=[0-9A-F]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes.replaceAll('=', '%'));
    } catch {
      return bytes;
    }
  });
}

/** Why a list answer is incomplete; null if it is complete, or no list. */
export function readCut(answer: unknown): string | null {
  const cut: unknown = typeof answer === 'object' && answer !== null && 'cut' in answer ? answer.cut : null;
  return typeof cut === 'string' ? cut : null;
}

/** Returns all values at a path of an answer; `[]` stands for each item of a list. */
export function valuesAt(answer: unknown, path: string): unknown[] {
  let values: unknown[] = [answer];
  for (const part of path.split('.')) {
    const isList = part.endsWith('[]');
    const name = isList ? part.slice(0, -2) : part;
    values = values.flatMap((value) => {
      const found = typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Object.entries(value) : [];
      const inner = found.find(([key]) => key === name)?.[1];
      if (isList) return Array.isArray(inner) ? inner : [];
      return inner === undefined ? [] : [inner];
    });
  }
  return values.filter((value) => value !== null && value !== undefined);
}

/**
 * Returns whether any value at the path meets the condition. `absent` holds if there is no value, but an incomplete list proves no
 * absence.
 */
export function holds({ path, is, value }: Condition, answer: unknown, { places, at, text, entities }: ConditionFacts): boolean {
  const values = [path].flat().flatMap((each) => valuesAt(answer, each));
  switch (is) {
    case 'present':
      return values.length > 0;
    case 'absent':
      return values.length === 0 && !(readCut(answer) !== null && [path].flat().some((each) => each.includes('[]')));
    case 'true':
      return values.includes(true);
    case 'at-least':
      return values.some((each) => typeof each === 'number' && typeof value === 'number' && each >= value);
    case 'below':
      return values.some((each) => typeof each === 'number' && typeof value === 'number' && each < value);
    case 'equals':
      return values.some((each) => normal(each) === normal(value));
    case 'has-length':
      return values.some((each) => typeof each === 'string' && each.length === value);
    case 'contains':
      return values.some((each) => typeof each === 'string' && normal(each).includes(normal(value)));
    case 'alert-place':
      return values.flatMap(listNames).some((name) => places.includes(name) || isNamedIn(text, name));
    case 'every-alert-place': {
      const names = values.flatMap(listNames);
      // True without a place after a known label: `alert-place` finds a place anywhere in the text.
      return places.every((place) => names.includes(place));
    }
    case 'by-alert-time':
      return values.some((each) => typeof each === 'string' && hasBegun(each, at));
    case 'near-alert-time':
      return values.some((each) => Math.abs((readTime(each) ?? Number.NaN) - at) <= SAME_TIME_SECONDS);
    case 'alert-has-place':
      return places.length > 0;
    case 'alert-entity':
      return values.some((each) => entities.includes(normal(each)));
  }
}

/** Third parties write a place as a name, or as an object with its city, country and so on. */
function listNames(place: unknown): string[] {
  const names = typeof place === 'object' && place !== null ? Object.values(place) : [place];
  return names.filter((name) => typeof name === 'string').map(normal);
}

/** Short names, such as country codes, are parts of other words. */
const NAME_LENGTH = 4;

function isNamedIn(text: string, name: string): boolean {
  if (name.length < NAME_LENGTH) return false;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const isWord = !/[a-z]/.test(text[at - 1] ?? ' ') && !/[a-z]/.test(text[at + name.length] ?? ' ');
    if (isWord) return true;
  }
  return false;
}

/** Epoch seconds of a time that a third party writes as text or as a number; null if it is unreadable. */
export function readTime(value: unknown): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? toEpochSeconds(value) : null;
}

function normal(value: unknown): string {
  return String(value).toLowerCase();
}

/** The first proof whose conditions hold, and the answer or the item of a list that meets them. */
export function findProof(proves: readonly Proof[], answer: unknown, facts: ConditionFacts): { proof: Proof; subject: unknown } | null {
  for (const proof of proves) {
    const subjects = proof.inOne === undefined ? [answer] : valuesAt(answer, proof.inOne);
    const subject = subjects.find((each) => proof.when.every((condition) => holds(condition, each, facts)));
    if (subject !== undefined) return { proof, subject };
  }
  return null;
}
