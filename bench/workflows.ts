import { proxyActivities } from '@temporalio/workflow';
import { playbook } from '../workflows/playbook.js';
import type { BareActivities } from './bare-activities.js';
import { benchCatalogue, QUICK_THIRD_PARTY_MS } from './connector.js';

export * from '../workflows/index.js';

/** Three skills in parallel with one finding each, like a typical investigation. */
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

/** The same with third parties that take as long as fast real ones. */
export const thirdPartiesThatTakeTime = playbook(
  { alertTypes: ['Bench, third parties that take time'], connectors: benchCatalogue },
  async ({ alert, skills, evidence }) => {
    const questions = ['reputation', 'sightings', 'owner'];
    const ask = (question: string) => skills.bench.ask({ question: `${question} of ${alert.id}`, takes_ms: QUICK_THIRD_PARTY_MS });
    const answers = await Promise.all(questions.map(ask));
    for (const answer of answers) if (answer !== null) evidence.finding(answer.points, answer.answer, 'as it said', { from: answer });
  },
);

const { step } = proxyActivities<BareActivities>({ startToCloseTimeout: '20s' });

/** The baseline: five regular activities (one, three in parallel, one) that do nothing. */
export async function fiveActivities(id: string): Promise<string> {
  const first = await step(`begin ${id}`);
  const answers = await Promise.all(['reputation', 'sightings', 'owner'].map((question) => step(`${question} of ${first}`)));
  return step(`conclude ${answers.length}`);
}
