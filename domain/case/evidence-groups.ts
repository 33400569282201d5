import type { Evidence } from '../verdict/evidence.js';

/** The title of a note about an answer that no finding rests on. */
export function titleWithoutFinding(skillId: string): string {
  return `${skillId}${WITHOUT_FINDING}`;
}
const WITHOUT_FINDING = ': No finding';

/** The title of a note about a proposed write begins with it. */
export const PROPOSED = 'Proposed:';

/** The beginning of the step of an entry about a record of a third party. */
export const RECORD_STEP = 'record';

/** The evidence of a case by its meaning for the reader. Each entry is in one group; proposals have their own place on the page. */
export interface EvidenceGroups {
  /** The findings that give the verdict, those with the most points first. */
  readonly reasons: readonly Evidence[];
  readonly openQuestions: readonly Evidence[];
  /** Records of third parties that do not count. */
  readonly records: readonly Evidence[];
  /** Other answers that do not affect the score. */
  readonly answers: readonly Evidence[];
  /** Read from the alert itself, or by the service. */
  readonly context: readonly Evidence[];
  /** Answered without any finding. */
  readonly silent: readonly Evidence[];
}

export function groupEvidence(evidence: readonly Evidence[]): EvidenceGroups {
  const shown = evidence.filter(({ kind, title }) => kind !== 'note' || !title.startsWith(PROPOSED));
  const select = (group: keyof EvidenceGroups) => shown.filter((entry) => chooseGroup(entry) === group);
  return {
    reasons: select('reasons').toSorted((one, other) => Math.abs(other.points) - Math.abs(one.points)),
    openQuestions: select('openQuestions'),
    records: select('records'),
    answers: select('answers'),
    context: select('context'),
    silent: select('silent'),
  };
}

function chooseGroup({ kind, points, title, step, source }: Evidence): keyof EvidenceGroups {
  if (kind === 'gap') return 'openQuestions';
  if (kind === 'finding' && points !== 0) return 'reasons';
  if (title.endsWith(WITHOUT_FINDING)) return 'silent';
  if (step.startsWith(`${RECORD_STEP}-`)) return 'records';
  return source === null ? 'context' : 'answers';
}
