import type { Condition, Proof } from './playbook.js';

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
export function holds({ path, is, value }: Condition, answer: unknown): boolean {
  const values = valuesAt(answer, path);
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
  }
}

function normal(value: unknown): string {
  return String(value).toLowerCase();
}

export function proofOf(proves: readonly Proof[], answer: unknown): Proof | null {
  return proves.find((proof) => proof.when.every((condition) => holds(condition, answer))) ?? null;
}
