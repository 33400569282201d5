import type { EvidenceDraft } from './evidence.js';
import { selectCounted } from './verdict.js';

/** A finding of a playbook's author, and the fact that counts for the same thing. */
export interface RepeatedFinding {
  readonly finding: EvidenceDraft;
  readonly fact: EvidenceDraft;
}

/**
 * Findings of an author that repeat a fact that counts: they rest on an answer of the same skill about the same entity, or on the same record, and
 * point the same way. `subjectsOf` has the texts in the question of a finding's answer, in lower case; undefined: it rests on no answer.
 */
export function findRepeated(
  evidence: readonly EvidenceDraft[],
  subjectsOf: (finding: EvidenceDraft) => ReadonlySet<string> | undefined,
): RepeatedFinding[] {
  const authored = evidence.filter(({ kind, points, fact }) => kind === 'finding' && points !== 0 && fact === undefined);
  const asked = authored.flatMap((finding) => {
    const subjects = subjectsOf(finding);
    return subjects === undefined ? [] : [{ finding, subjects }];
  });
  if (asked.length === 0) return [];
  const counted = selectCounted(evidence).filter(({ fact }) => fact !== undefined);
  return asked.flatMap(({ finding, subjects }) => {
    const fact = counted.find((each) => Math.sign(each.points) === Math.sign(finding.points) && isSame(finding, subjects, each));
    return fact ? [{ finding, fact }] : [];
  });
}

function isSame({ source }: EvidenceDraft, subjects: ReadonlySet<string>, { source: known, fact }: EvidenceDraft): boolean {
  if (source === null || known === null || source.connector !== known.connector) return false;
  if (fact?.key !== undefined && subjects.has(fact.key.toLowerCase())) return true;
  const isSameSkill = source.skill_key === undefined ? source.skill_id === known.skill_id : source.skill_key === known.skill_key;
  return isSameSkill && (fact?.about ?? []).some((value) => subjects.has(value));
}
