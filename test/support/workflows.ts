import { ApplicationFailure } from '@temporalio/workflow';
import { playbook } from '../../workflows/playbook.js';
import { testbedCatalogue } from './testbed.js';

export * from '../../workflows/index.js';

/** Three questions at once; the verdict is what the test answers. */
export const testbed = playbook({ alertTypes: ['Testbed'], connectors: testbedCatalogue }, async ({ alert, skills, evidence }) => {
  evidence.note('Asked', 'Three questions are under way.');
  const answers = await Promise.all(['one', 'two', 'three'].map((name) => skills.testbed.ask({ question: `${name} ${alert.content}` })));
  for (const [index, answer] of answers.entries()) {
    if (answer !== null) evidence.finding(answer.points, `Answer ${index + 1}`, 'The test said so.', { from: answer });
  }
});

export const testbedRefusing = playbook({ alertTypes: ['Testbed refusing'] }, async () => {
  throw ApplicationFailure.nonRetryable('This alert cannot be investigated.', 'Hopeless');
});

/** An author's slip: a plain error in workflow code must not leave the run stuck. */
export const testbedSlipping = playbook({ alertTypes: ['Testbed slipping'] }, async ({ evidence }) => {
  evidence.finding(50, 'Before the slip', 'Only the attempt that concludes scores.');
  throw new TypeError('undefined is not a function');
});

/** Asks a real connector; a question that stays open leaves a gap, and nothing else is said of it. */
export const testbedEnriching = playbook({ alertTypes: ['Testbed enriching'] }, async ({ alert, skills, evidence }) => {
  const answer = await skills.threatIntelligence.getEnrichment({ kind: 'ip', value: '203.0.113.66' });
  if (answer !== null) evidence.finding(60, 'The address is known', `It scores ${answer.score}.`, { from: answer });
  const alerts = await skills.threatIntelligence.listAlerts({ max_items: 5 });
  if (alerts !== null) evidence.note('Alerts there', `${alerts.items.length} for ${alert.id}.`, { from: alerts });
});
