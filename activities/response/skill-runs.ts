import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowIdReusePolicy } from '@temporalio/client';
import { describeSkillRun, type SkillRunStart, skillRunWorkflowId } from '../../domain/connection/skill.js';
import { escapeMarkdown } from '../../domain/text.js';

/** Starts the workflow of a run that a person requested, unless it is open. */
export async function startSkillRun(client: Client, taskQueue: string, run: SkillRunStart): Promise<void> {
  const { summary, searchAttributes } = describeSkillRun(run);
  try {
    await client.workflow.start('runSkill', {
      taskQueue,
      workflowId: skillRunWorkflowId(run.runUuid),
      args: [{ runId: run.runUuid }],
      staticSummary: escapeMarkdown(summary),
      typedSearchAttributes: searchAttributes,
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
