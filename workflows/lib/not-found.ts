import type { EvidenceLog } from './evidence-log.js';
import type { NotFound } from './skills.js';

/** Records what a third party does not have, so that the verdict can see a missing record. */
export function noteNotFound(evidence: EvidenceLog, { title, reason, source, input }: NotFound): void {
  evidence.fact({ name: 'not-found', about: listTexts(input) }, `${title}: not known there`, reason, { source });
}

/** The values of a question, to see whose record is missing. */
function listTexts(input: unknown): string[] {
  const values = typeof input === 'object' && input !== null ? Object.values(input).flat() : [];
  return values.filter((value) => typeof value === 'string').map((value) => value.slice(0, 500).toLowerCase());
}
