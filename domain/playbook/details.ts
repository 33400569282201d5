import type { EvidenceDraft } from '../verdict/evidence.js';
import type { Statements } from '../verdict/severity.js';
import { concludeFrom } from '../verdict/verdict.js';
import type { AskStep, Plan } from './playbook.js';

/**
 * The questions whose answers have no points and lead to no other question or entity: they only describe. They can wait until the
 * verdict is known.
 */
export function listDetailSteps({ steps }: Plan): ReadonlySet<string> {
  const details = new Set<string>();
  for (const step of steps.toReversed()) {
    if (step.do !== 'ask' || step.leadsTo !== undefined || step.identifies !== undefined) continue;
    const isTaken = steps.some(
      (other) => 'each' in other && other.each.of === 'answer' && other.each.step === step.id && !details.has(other.id),
    );
    if (!isTaken && step.proves.every(({ points }) => points === 0)) details.add(step.id);
  }
  return details;
}

/** Whether an answer could change the verdict or the severity, or describes an attack that a person will handle. */
export function isDetailWanted(
  { id, proves }: Pick<AskStep, 'id' | 'proves'>,
  evidence: readonly EvidenceDraft[],
  statements: Statements,
): boolean {
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
