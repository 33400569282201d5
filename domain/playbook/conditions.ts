import { hasBegun } from './place.js';
import type { Condition, Proof } from './playbook.js';

/** The facts of an alert that conditions compare an answer with. */
export interface ConditionFacts {
  /** The places that the alert names, in lower case. */
  readonly places: readonly string[];
  /** The time of the alert, in epoch seconds. */
  readonly at: number;
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

/** Returns whether any value at the path meets the condition; `absent` holds if there is no value. */
export function holds({ path, is, value }: Condition, answer: unknown, { places, at }: ConditionFacts): boolean {
  const values = [path].flat().flatMap((each) => valuesAt(answer, each));
  switch (is) {
    case 'present':
      return values.length > 0;
    case 'absent':
      return values.length === 0;
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
      return values.flatMap(listNames).some((name) => places.includes(name));
    case 'every-alert-place': {
      const names = values.flatMap(listNames);
      // `every` is true for an empty list, but no answer can explain an alert without a place.
      return places.length > 0 && places.every((place) => names.includes(place));
    }
    case 'by-alert-time':
      return values.some((each) => typeof each === 'string' && hasBegun(each, at));
  }
}

/** Third parties write a place as a name, or as an object with its city, country and so on. */
function listNames(place: unknown): string[] {
  const names = typeof place === 'object' && place !== null ? Object.values(place) : [place];
  return names.filter((name) => typeof name === 'string').map(normal);
}

function normal(value: unknown): string {
  return String(value).toLowerCase();
}

export function findProof(proves: readonly Proof[], answer: unknown, facts: ConditionFacts): Proof | null {
  return (
    proves.find(({ inOne, when }) => {
      const subjects = inOne === undefined ? [answer] : valuesAt(answer, inOne);
      return subjects.some((subject) => when.every((condition) => holds(condition, subject, facts)));
    }) ?? null
  );
}
