import { NEVER_RETRIED } from '../connection/skill-errors.js';

/** Temporal's retry policy, declared here because domain/ imports only zod. */
export interface SkillRetryPolicy {
  readonly initialInterval: number;
  readonly backoffCoefficient: number;
  readonly maximumInterval: number;
  readonly maximumAttempts: number;
  readonly nonRetryableErrorTypes: string[];
}

const SECOND = 1000;

/** A retried investigation probably met an outage, so its skills try more often and wait longer. */
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
