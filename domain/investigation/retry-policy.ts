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

const MAX_PATIENCE = 5;
/** A third party that is down delays the first attempt by about this long. */
const PATIENCE_SECONDS = 60;

function countPatience(investigationRetryCount: number): number {
  return Math.max(0, Math.min(investigationRetryCount, MAX_PATIENCE));
}

/** How long an investigation waits for each third party that does not answer. Then its questions stay open. */
export function patienceSecondsOf(investigationRetryCount: number): number {
  return PATIENCE_SECONDS * (1 + countPatience(investigationRetryCount));
}

/** A retried investigation probably met an outage, so its skills try more often and wait longer. */
export function skillRetryPolicy(investigationRetryCount: number): SkillRetryPolicy {
  const patience = countPatience(investigationRetryCount);
  return {
    initialInterval: SECOND * 2 ** patience,
    backoffCoefficient: 2,
    maximumInterval: 30 * SECOND * 2 ** patience,
    maximumAttempts: 3 + 2 * patience,
    nonRetryableErrorTypes: [...NEVER_RETRIED],
  };
}
