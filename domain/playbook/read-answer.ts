import { clip } from '../text.js';
import { type ConditionFacts, findProof, holds, readTime, valuesAt } from './conditions.js';
import type { Condition, Proof } from './playbook.js';

/** Values of an answer: of the whole answer, or of the items of `inOne`, that meet all conditions. */
export interface Take {
  readonly inOne?: string;
  readonly path: string;
  readonly when?: readonly Condition[] | undefined;
}

/** Everything that a playbook wants to know from an answer. */
export interface AnswerQuestion {
  readonly proves?: readonly Proof[];
  /** The paths of the values to show to a reader. */
  readonly shows?: readonly string[];
  readonly takes?: readonly Take[];
  /** Why the question itself left something out: then its answer is incomplete. */
  readonly cut?: string | null;
}

/** The answers to a question about an answer. They fit into a workflow history, whatever the size of the answer. */
export interface AnswerFacts {
  /** The place of the first proof whose conditions hold, and the time of its fact. */
  readonly proof: { readonly index: number; readonly at: number | null } | null;
  /** The values at the paths as text; empty if there are none. */
  readonly shown: string;
  /** The distinct values of each take, by its key. */
  readonly taken: Readonly<Record<string, readonly string[]>>;
}

const MAX_SHOWN_VALUES = 10;
const MAX_SHOWN_LENGTH = 4000;
/** Of all values of one take. An answer that the history holds whole never reaches it. */
const MAX_TAKEN_LENGTH = 32 * 1024;

/** Reads the facts of a whole answer. */
export function readAnswer(
  { proves = [], shows = [], takes = [], cut = null }: AnswerQuestion,
  whole: unknown,
  facts: ConditionFacts,
): AnswerFacts {
  const answer = cut === null || typeof whole !== 'object' ? whole : { ...whole, cut };
  const found = findProof(proves, answer, facts);
  return {
    proof: found === null ? null : { index: proves.indexOf(found.proof), at: readFactTime(found.proof, found.subject) },
    shown: showValues(answer, shows),
    taken: Object.fromEntries(takes.map((take) => [keyOfTake(take), takeValues(take, answer, facts)])),
  };
}

export function keyOfTake({ inOne, path, when = [] }: Take): string {
  return JSON.stringify([inOne ?? null, path, when]);
}

function takeValues({ inOne, path, when = [] }: Take, answer: unknown, facts: ConditionFacts): string[] {
  const subjects = inOne === undefined ? [answer] : valuesAt(answer, inOne);
  const fitting = subjects.filter((subject) => when.every((condition) => holds(condition, subject, facts)));
  let length = 0;
  const values: string[] = [];
  for (const value of new Set(fitting.flatMap((subject) => valuesAt(subject, path)).map(String))) {
    length += value.length;
    if (length > MAX_TAKEN_LENGTH) break;
    values.push(value);
  }
  return values;
}

function readFactTime({ at }: Proof, subject: unknown): number | null {
  if (at === undefined) return null;
  return (
    valuesAt(subject, at)
      .map(readTime)
      .find((time) => time !== null) ?? null
  );
}

function showValues(answer: unknown, paths: readonly string[]): string {
  const shown = paths.flatMap((path) => {
    const values = [...new Set(valuesAt(answer, path).map(String))].slice(0, MAX_SHOWN_VALUES);
    return values.length === 0 ? [] : [`${path.replaceAll('[]', '').replaceAll('items.', '')}: ${values.join(', ')}`];
  });
  return clip(shown.join('; '), MAX_SHOWN_LENGTH);
}
