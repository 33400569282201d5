import { ApplicationFailure } from '@temporalio/workflow';
import { playbook } from '../../workflows/playbook.js';
import { testbedCatalogue } from './testbed.js';

export * from '../../workflows/index.js';

/** Three questions at once; the verdict is what the test answers. */
export const testbed = playbook({ alertTypes: ['Testbed'], connectors: testbedCatalogue }, async ({ alert, skills, evidence }) => {
  evidence.note('Asked', 'Three questions are under way.');
  const answers = await Promise.all(['one', 'two', 'three'].map((name) => skills.testbed.ask({ question: `${name} ${alert.content}` })));
  for (const [index, answer] of answers.entries()) evidence.finding(answer.points, `Answer ${index + 1}`, 'The test said so.');
});

export const testbedRefusing = playbook({ alertTypes: ['Testbed refusing'] }, async () => {
  throw ApplicationFailure.nonRetryable('This alert cannot be investigated.', 'Hopeless');
});

/** An author's slip: a plain error in workflow code must not leave the run stuck. */
export const testbedSlipping = playbook({ alertTypes: ['Testbed slipping'] }, async ({ evidence }) => {
  evidence.finding(50, 'Before the slip', 'Only the attempt that concludes scores.');
  throw new TypeError('undefined is not a function');
});
