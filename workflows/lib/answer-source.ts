import type { EvidenceSource } from '../../domain/verdict/evidence.js';

const sources = new WeakMap<object, EvidenceSource>();
const truncatedAnswers = new WeakSet<object>();

/** Remembers which call an answer came from, and whether the history holds only a part of it. */
export function rememberAnswer(answer: unknown, source: EvidenceSource, isTruncated: boolean): void {
  if (typeof answer !== 'object' || answer === null) return;
  sources.set(answer, source);
  if (isTruncated) truncatedAnswers.add(answer);
}

export function findSource(answer: object): EvidenceSource | null {
  return sources.get(answer) ?? null;
}

export function isTruncated(answer: object): boolean {
  return truncatedAnswers.has(answer);
}
