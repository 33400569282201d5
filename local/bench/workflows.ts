import { proxyActivities } from '@temporalio/workflow';
import { playbook } from '../../workflows/playbook.js';
import type { BareActivities } from './bare-activities.js';
import { benchCatalogue } from './connector.js';

export * from '../../workflows/index.js';

/** Three skills at once, a finding from each: the shape of an ordinary investigation. */
export const threeSkills = playbook(
  { alertTypes: ['Bench, three skills'], connectors: benchCatalogue },
  async ({ alert, skills, evidence }) => {
    const questions = ['reputation', 'sightings', 'owner'];
    const answers = await Promise.all(questions.map((question) => skills.bench.ask({ question: `${question} of ${alert.id}` })));
    for (const [index, answer] of answers.entries()) {
      if (answer !== null) evidence.finding(answer.points, questions[index] ?? '', answer.answer, { from: answer });
    }
  },
);

const { step } = proxyActivities<BareActivities>({ startToCloseTimeout: '20s' });

/** What ours is held against: five regular activities (one, then three at once, then one) that do nothing. */
export async function fiveActivities(id: string): Promise<string> {
  const first = await step(`begin ${id}`);
  const answers = await Promise.all(['reputation', 'sightings', 'owner'].map((question) => step(`${question} of ${first}`)));
  return step(`conclude ${answers.length}`);
}
