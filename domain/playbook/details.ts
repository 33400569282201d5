import type { EntityKind } from '../entity/entity.js';
import type { EvidenceDraft } from '../verdict/evidence.js';
import type { Statements } from '../verdict/severity.js';
import { concludeFrom } from '../verdict/verdict.js';
import type { AskStep, Plan, Proof } from './playbook.js';

/**
 * The questions whose answers have no points for this alert and lead to no other question or entity: they only describe. They can wait
 * until the verdict is known. Without `kinds`, those that have no points for any alert.
 */
export function listDetailSteps({ steps }: Plan, kinds?: ReadonlySet<EntityKind>): ReadonlySet<string> {
  const details = new Set<string>();
  for (const step of steps.toReversed()) {
    if (step.do !== 'ask' || step.leadsTo !== undefined || step.identifies !== undefined) continue;
    const isTaken = steps.some(
      (other) => 'each' in other && other.each.of === 'answer' && other.each.step === step.id && !details.has(other.id),
    );
    if (!isTaken && step.proves.every((proof) => proof.points === 0 || (kinds && !isPossible(proof, kinds)))) details.add(step.id);
  }
  return details;
}

/** Whether the alert has the entities that the answer must name, such as a vulnerability. */
function isPossible({ when }: Proof, kinds: ReadonlySet<EntityKind>): boolean {
  return when.every(({ is, value }) => is !== 'alert-entity' || value === undefined || [...kinds].some((kind) => kind === value));
}

/** Whether an answer could change the verdict or the severity, or describes an attack that a person will handle. */
export function isDetailWanted(
  { id, proves }: Pick<AskStep, 'id' | 'proves'>,
  evidence: readonly EvidenceDraft[],
  statements: Statements,
  kinds?: ReadonlySet<EntityKind>,
): boolean {
  if (kinds && proves.length > 0 && !proves.some((proof) => isPossible(proof, kinds))) return false;
  const { verdict, severity } = concludeFrom(evidence, statements);
  if (verdict === 'malicious' || (verdict === 'suspicious' && proves.length === 0)) return true;
  return proves.some(({ points, says, fact }) => {
    const finding: EvidenceDraft = {
      step: `${id}-possible`.slice(-100),
      kind: 'finding',
      source: null,
      title: says,
      points,
      reason: '',
      techniques: [],
      ...(fact === undefined ? {} : { fact: { name: fact } }),
    };
    const possible = concludeFrom([...evidence, finding], statements);
    return possible.verdict !== verdict || possible.severity !== severity;
  });
}
