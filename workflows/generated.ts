import { ApplicationFailure } from '@temporalio/workflow';
import { runPlan } from './lib/run-plan.js';
import { playbook } from './playbook.js';

/** Runs the stored plan of any generated playbook. */
export const generated = playbook({ title: 'Generated', alertTypes: [] }, async (context) => {
  if (context.plan === null) throw ApplicationFailure.nonRetryable('The playbook has no stored plan.', 'PlaybookWithoutPlan');
  await runPlan(context, context.plan);
});
