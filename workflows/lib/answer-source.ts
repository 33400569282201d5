import type { EvidenceSource } from '../../domain/verdict/evidence.js';

interface Remembered {
  readonly source: EvidenceSource;
  readonly isTruncated: boolean;
  readonly input: unknown;
}

const remembered = new WeakMap<object, Remembered>();
const read = new WeakSet<object>();

/** Remembers which call an answer came from, its question, and whether the history holds only a part of it. */
export function rememberAnswer(answer: unknown, source: EvidenceSource, isTruncated: boolean, input: unknown = null): void {
  if (typeof answer === 'object' && answer !== null) remembered.set(answer, { source, isTruncated, input });
}

export function findSource(answer: object): EvidenceSource | null {
  return remembered.get(answer)?.source ?? null;
}

const MAX_SUBJECTS = 500;
const MAX_INPUT_DEPTH = 10;
/** `ip:203.0.113.7` names an entity with its kind. */
const WITH_KIND = /^[a-z_-]{2,20}:(?!\/\/)(.+)$/;

/** The texts in the question of an answer, in lower case. They name the subject of the answer. */
export function listSubjects(answer: object): ReadonlySet<string> {
  const subjects = new Set<string>();
  const visit = (value: unknown, depth: number): void => {
    if (subjects.size >= MAX_SUBJECTS || depth > MAX_INPUT_DEPTH) return;
    if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) visit(part, depth + 1);
    if (typeof value !== 'string') return;
    const text = value.toLowerCase();
    subjects.add(text).add(WITH_KIND.exec(text)?.[1] ?? text);
  };
  visit(remembered.get(answer)?.input, 0);
  return subjects;
}

export function isTruncated(answer: object): boolean {
  return remembered.get(answer)?.isTruncated ?? false;
}

/** From now on the reader of the answer is responsible for what is missing in it. */
export function noteRead(answer: object): void {
  read.add(answer);
}

export function isRead(answer: object): boolean {
  return read.has(answer);
}
