import type { SkillRunState } from '../connection/connection.js';

interface DecidedRun {
  readonly state: SkillRunState;
  readonly decidedBy: string | null;
}

/** The decision about a manual run as a sentence; null while it waits. */
export function describeRunResult({ state, decidedBy }: DecidedRun): string | null {
  const approved = decidedBy === null ? 'Approved.' : `Approved by ${decidedBy}.`;
  switch (state) {
    case 'proposed':
      return null;
    case 'refused':
      return decidedBy === null ? 'Refused.' : `Refused by ${decidedBy}.`;
    case 'failed':
      return `${approved} The action failed.`;
    case 'done':
      return `${approved} The action is done.`;
    case 'running':
      return approved;
  }
}

/** Why a decision changed nothing. */
export function explainRunDecision({ state }: DecidedRun): string {
  return state === 'proposed'
    ? 'You requested this run, with this or another key. A second person must approve it. Anyone can refuse it.'
    : 'This run does not wait for a decision: a person decided it, or it needs none. Only a proposed or held run can be refused.';
}
