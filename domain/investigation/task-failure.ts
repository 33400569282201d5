import { findErrorPlace, playbookFile } from '../playbook/error-place.js';

/** The error of workflow code outside of the lifecycle of an investigation, as Temporal stores it. */
export interface TaskFailure {
  readonly message?: string | null;
  readonly stackTrace?: string | null;
  readonly cause?: TaskFailure | null;
}

const REMEDY = 'Correct the playbook and investigate the alert again.';

/** Without a line: the code does not return, so it cannot report its place. */
export function describeEndlessRun(playbook: string): string {
  return `The playbook ${playbook} (${playbookFile(playbook)}) computed for several seconds without a wait. A regular expression can be the reason. ${REMEDY}`;
}

/**
 * A sentence for the case. The innermost error has the place in the playbook. null: the error is in no file of ours, such as a build
 * that does not have the playbook yet, so a later try can succeed.
 */
export function describeTaskFailure(failure: TaskFailure, playbook: string): string | null {
  let innermost = failure;
  while (innermost.cause) innermost = innermost.cause;
  const place = findErrorPlace(innermost.stackTrace ?? undefined);
  if (place === null) return null;
  // The name of the error is only in its stack, which can begin with the line of code.
  const named = innermost.stackTrace?.split('\n').find((line) => /^\w*Error: /.test(line));
  return `The playbook ${playbook} failed outside of its steps: ${named ?? innermost.message}. Place: ${place}. ${REMEDY}`;
}
