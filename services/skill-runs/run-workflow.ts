import { findRunState } from '../../db/skills/skill-runs.js';
import { describeSkillRun, type SkillRunStart, skillRunWorkflowId } from '../../domain/connection/skill.js';
import { escapeMarkdown } from '../../domain/text.js';
import type { ServiceContext } from '../context.js';

function toWorkflow(run: SkillRunStart) {
  return { type: 'runSkill', workflowId: skillRunWorkflowId(run.runUuid), input: { runId: run.runUuid }, ...describeSkillRun(run) };
}

/** Starts the run's workflow, or joins the open one, and waits for its end. */
export async function runWorkflow({ runner }: ServiceContext, run: SkillRunStart, waitMs: number): Promise<{ ended: boolean }> {
  return runner.run({ ...toWorkflow(run), waitMs });
}

/** The workflow that asked for the approval may not have ended yet. It does not send the write, so another one must. */
export async function runApproved(context: ServiceContext, run: SkillRunStart, waitMs: number): Promise<void> {
  const { ended } = await runWorkflow(context, run, waitMs);
  if (ended && (await findRunState(context.db, run.runUuid)) === 'running') await runWorkflow(context, run, waitMs);
}

/** Starts a workflow for a run that has none, and does not wait for it. */
export async function restartWorkflow({ runner }: ServiceContext, run: SkillRunStart): Promise<void> {
  const { type, workflowId, input, summary, searchAttributes: typedSearchAttributes } = toWorkflow(run);
  await runner.start(type, { workflowId, args: [input], staticSummary: escapeMarkdown(summary), typedSearchAttributes });
}
