import { NEVER_RETRIED } from '../connection/skill-errors.js';

/** The shape Temporal takes, without importing Temporal: `domain` knows only zod. */
export interface SkillRetryPolicy {
  readonly initialInterval: number;
  readonly backoffCoefficient: number;
  readonly maximumInterval: number;
  readonly maximumAttempts: number;
  readonly nonRetryableErrorTypes: string[];
}

const SECOND = 1000;

/**
 * How patient a skill is, from how often its investigation was already retried: what failed once is
 * likely to be an outage, so each retry tries more often and waits longer in between.
 */
export function skillRetryPolicy(investigationRetryCount: number): SkillRetryPolicy {
  const patience = Math.max(0, Math.min(investigationRetryCount, 5));
  return {
    initialInterval: SECOND * 2 ** patience,
    backoffCoefficient: 2,
    maximumInterval: 30 * SECOND * 2 ** patience,
    maximumAttempts: 3 + 2 * patience,
    nonRetryableErrorTypes: [...NEVER_RETRIED],
  };
}
