import { findErrorPlace } from '../playbook/error-place.js';

/** The error of workflow code outside of the lifecycle of an investigation, as Temporal stores it. */
export interface TaskFailure {
  readonly message?: string | null;
  readonly stackTrace?: string | null;
  readonly cause?: TaskFailure | null;
}

const REMEDY = 'Correct the playbook and investigate the alert again.';

export function describeEndlessRun(playbook: string): string {
  return `The playbook ${playbook} computed for several seconds without a wait. A regular expression can be the reason. ${REMEDY}`;
}

/** A sentence for the case. The innermost error has the place in the playbook. */
export function describeTaskFailure(failure: TaskFailure, playbook: string): string {
  let innermost = failure;
  while (innermost.cause) innermost = innermost.cause;
  const place = findErrorPlace(innermost.stackTrace ?? undefined);
  const [said = ''] = (innermost.stackTrace || failure.message || 'unknown error').split('\n');
  return `The playbook ${playbook} failed outside of its steps: ${said}.${place === null ? '' : ` Place: ${place}.`} ${REMEDY}`;
}
