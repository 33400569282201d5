import { inWorkflowContext, patched as isPatchedRun } from '@temporalio/workflow';

/**
 * Versions a change of a playbook's steps: `if (patched('ask-twice')) { new } else { old }`. A run that began before the change keeps
 * the old steps. The test kit and `playbook:compare` run outside of a workflow and use the new ones.
 */
export function patched(change: string): boolean {
  return inWorkflowContext() ? isPatchedRun(change) : true;
}
