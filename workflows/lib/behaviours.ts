import type { BehaviourFound } from '../../domain/investigation/behaviour.js';
import type { EvidenceLog } from './evidence-log.js';

/** Adds what the alert states as findings. Only the strongest counts. */
export function addBehaviours(evidence: EvidenceLog, behaviours: readonly BehaviourFound[]): void {
  for (const { id, title, techniques, points, stated } of behaviours) {
    const reason = `The content of the alert states it${stated === '' ? '' : ` (${stated})`}. Rule: ${id}.`;
    evidence.finding(points, `Behaviour: ${title}`, reason, { step: `behaviour-${id}`, techniques, fact: { name: 'behaviour', key: id } });
  }
}
