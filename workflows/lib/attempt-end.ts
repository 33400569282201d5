import { ActivityFailure, ApplicationFailure, isCancellation } from '@temporalio/workflow';
import { isOutOfReach } from './bookkeeping.js';
import { isAuthorsMistake } from './mistake.js';

/** `recover`: the run ends without a status, and the reconciler starts the investigation again when the database is back. */
export type AttemptEnd = 'retry' | 'recover' | 'fail';

/** How an attempt ends after an error. */
export function chooseEnd(error: unknown, { isLast }: { isLast: boolean }): AttemptEnd {
  if (isCancellation(error) || isAuthorsMistake(error) || isFinal(error)) return 'fail';
  if (!isLast) return 'retry';
  return isOutOfReach(error) ? 'recover' : 'fail';
}

/** Another try would have the same result. */
function isFinal(error: unknown): boolean {
  const failure = error instanceof ActivityFailure ? error.cause : error;
  return failure instanceof ApplicationFailure && failure.nonRetryable === true;
}
