import type { EvidenceSource } from '../../domain/verdict/evidence.js';

interface Remembered {
  readonly source: EvidenceSource;
  readonly isTruncated: boolean;
}

const remembered = new WeakMap<object, Remembered>();
const read = new WeakSet<object>();

/** Remembers which call an answer came from, and whether the history holds only a part of it. */
export function rememberAnswer(answer: unknown, source: EvidenceSource, isTruncated: boolean): void {
  if (typeof answer === 'object' && answer !== null) remembered.set(answer, { source, isTruncated });
}

export function findSource(answer: object): EvidenceSource | null {
  return remembered.get(answer)?.source ?? null;
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
