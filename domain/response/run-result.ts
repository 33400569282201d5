import type { SkillRunState } from '../connection/connection.js';
import type { SkillRunError } from '../connection/skill.js';
import type { ProposalState } from './proposal.js';

/** The state of a manual write as a skill run. */
export const RUN_STATES = {
  waiting: 'proposed',
  approved: 'running',
  scheduled: 'running',
  running: 'running',
  done: 'done',
  failed: 'failed',
  refused: 'refused',
  expired: 'refused',
  withdrawn: 'refused',
} as const satisfies Record<ProposalState, SkillRunState>;

export interface ManualWrite {
  readonly state: ProposalState;
  readonly heldBecause: string | null;
  readonly outcome: string | null;
  readonly error: Record<string, unknown> | null;
}

/** Why a manual write waits, or how it ended without being sent. */
export function findRunProblem({ state, heldBecause, outcome, error }: ManualWrite): Record<string, unknown> | null {
  const explain = (code: string, message: string) =>
    ({ code, message, third_party_status: null, resolution: null }) satisfies SkillRunError;
  if (heldBecause !== null) return explain('WritesHeld', heldBecause);
  if (state === 'expired') return explain('Expired', 'Expired without enough approvals.');
  if (state === 'withdrawn') return explain('Withdrawn', outcome ?? 'Withdrawn.');
  return error;
}
