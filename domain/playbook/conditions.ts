import { hasBegun } from './place.js';
import type { Condition, Proof } from './playbook.js';

/** What conditions may compare an answer with. */
export interface ConditionFacts {
  /** The places that it names, in lower case. */
  readonly places: readonly string[];
  /** When it happened, in epoch seconds. */
  readonly at: number;
}

/** Everything at a path of an answer; `[]` stands for each item of a list. */
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

/** Holds where any value at the path fits; `absent` where there is none. */
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
      // An alert that names no place is explained by none.
      return places.length > 0 && places.every((place) => names.includes(place));
    }
    case 'by-alert-time':
      return values.some((each) => typeof each === 'string' && hasBegun(each, at));
  }
}

/** Of a place as third parties write it: its name alone, or an object with its city, country and so on. */
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
