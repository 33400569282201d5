import { proxyActivities } from '@temporalio/workflow';
import { testbedCatalogue } from '../../test/support/testbed.js';
import { playbook } from '../../workflows/playbook.js';
import type { BareActivities } from './bare-activities.js';
import { SLOW_QUESTION } from './third-parties.js';

export * from '../../workflows/index.js';

/** Three skills in parallel with one finding each, like a typical investigation. */
export const threeSkills = playbook(
  { title: 'Bench, three skills', alertTypes: ['Bench, three skills'], connectors: testbedCatalogue },
  async ({ alert, skills, evidence }) => {
    const questions = ['reputation', 'sightings', 'owner'];
    const answers = await Promise.all(questions.map((question) => skills.testbed.ask({ question: `${question} of ${alert.id}` })));
    for (const [index, answer] of answers.entries()) {
      if (answer !== null) evidence.finding(answer.points, questions[index] ?? '', 'as it said', { from: answer });
    }
  },
);

/** The same with third parties that take as long as fast real ones. */
export const thirdPartiesThatTakeTime = playbook(
  { title: 'Bench, third parties that take time', alertTypes: ['Bench, third parties that take time'], connectors: testbedCatalogue },
  async ({ alert, skills, evidence }) => {
    const questions = ['reputation', 'sightings', 'owner'];
    const ask = (question: string) => skills.testbed.ask({ question: `${SLOW_QUESTION} ${question} of ${alert.id}` });
    const answers = await Promise.all(questions.map(ask));
    for (const [index, answer] of answers.entries()) {
      if (answer !== null) evidence.finding(answer.points, questions[index] ?? '', 'as it said', { from: answer });
    }
  },
);

/** An author's mistake. */
export const infiniteLoop = playbook({ title: 'Bench, infinite loop', alertTypes: ['Bench, infinite loop'] }, async ({ alert }) => {
  while (alert.id !== '');
});

const { step } = proxyActivities<BareActivities>({ startToCloseTimeout: '20s' });

/** The baseline: five regular activities (one, three in parallel, one) that do nothing. */
export async function fiveActivities(id: string): Promise<string> {
  const first = await step(`begin ${id}`);
  const answers = await Promise.all(['reputation', 'sightings', 'owner'].map((question) => step(`${question} of ${first}`)));
  return step(`conclude ${answers.length}`);
}
