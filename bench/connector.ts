import { z } from 'zod';
import { defineConnector, defineSkill } from '../activities/connectors/kit/define.js';

export const QUICK_THIRD_PARTY_MS = 150;

/** A connector that answers at once or after a given time, to measure everything else. */
export const benchCatalogue = {
  bench: defineConnector({
    kind: 'bench',
    title: 'Bench',
    purpose: 'Answers at once.',
    credentials: z.object({}),
    settings: z.object({}),
    presets: [],
    rotation: null,
    routable: false,
    requestsPerMinute: 1_000_000,
    errors: {},
    hosts: () => [],
    skills: {
      ask: defineSkill({
        title: 'Ask',
        purpose: 'Answers at once.',
        effect: 'read',
        call: 'none',
        timeoutSeconds: 20,
        input: z.object({ question: z.string().max(1000), takes_ms: z.int().min(0).max(1000).default(0) }),
        output: z.object({ points: z.int(), answer: z.string() }),
      }),
    },
  }),
};
