import { z } from 'zod';
import { defineConnector, defineSkill } from '../../activities/connectors/define.js';

/** A connector whose third party is the test itself. */
export const testbedCatalogue = {
  testbed: defineConnector({
    kind: 'testbed',
    title: 'Testbed',
    skills: {
      ask: defineSkill({
        title: 'Ask',
        purpose: 'Answers as the test wants.',
        effect: 'read',
        timeoutSeconds: 20,
        input: z.object({ question: z.string().max(1000) }),
        output: z.object({ points: z.int() }),
      }),
    },
  }),
};
