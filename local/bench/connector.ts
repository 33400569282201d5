import { z } from 'zod';
import { defineConnector, defineSkill } from '../../activities/connectors/define.js';

/** A connector whose third party answers at once: what is measured is everything round it. */
export const benchCatalogue = {
  bench: defineConnector({
    kind: 'bench',
    title: 'Bench',
    skills: {
      ask: defineSkill({
        title: 'Ask',
        purpose: 'Answers at once.',
        effect: 'read',
        timeoutSeconds: 20,
        input: z.object({ question: z.string().max(1000) }),
        output: z.object({ points: z.int(), answer: z.string() }),
      }),
    },
  }),
};
