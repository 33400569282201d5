import { describeSkillRun, type SkillRunStart, skillRunWorkflowId } from '../../domain/connection/skill.js';
import { escapeMarkdown } from '../../domain/text.js';
import type { ServiceContext } from '../context.js';

function toWorkflow(run: SkillRunStart) {
  return { type: 'runSkill', workflowId: skillRunWorkflowId(run.runUuid), input: { runId: run.runUuid }, ...describeSkillRun(run) };
}

/** Starts the run's workflow, or joins the open one, and waits for its end. */
export async function runWorkflow({ runner }: ServiceContext, run: SkillRunStart, waitMs: number): Promise<void> {
  await runner.run({ ...toWorkflow(run), waitMs });
}

/** Starts a workflow for a run that has none, and does not wait for it. */
export async function restartWorkflow({ runner }: ServiceContext, run: SkillRunStart): Promise<void> {
  const { type, workflowId, input, summary, searchAttributes: typedSearchAttributes } = toWorkflow(run);
  await runner.start(type, { workflowId, args: [input], staticSummary: escapeMarkdown(summary), typedSearchAttributes });
}
