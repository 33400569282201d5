import { z } from 'zod';
import type { SkillSet } from '../../activities/skills/perform-skill.js';
import { defineConnector, defineSkill } from '../../connectors/kit/define.js';

/** A connector whose third party is the test itself. */
export const testbedCatalogue = {
  testbed: defineConnector({
    kind: 'testbed',
    title: 'Testbed',
    products: ['Testbed'],
    icon: 'device',
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
        purpose: 'Answers as the test wants.',
        effect: 'read',
        call: 'none',
        timeoutSeconds: 20,
        input: z.object({ question: z.string().max(1000) }),
        output: z.object({ points: z.int() }),
      }),
    },
  }),
};

/** The testbed's skill, with the answers of the test. */
export function testbedSkills(ask: (question: string, signal: AbortSignal) => Promise<number>): SkillSet {
  return {
    catalogue: testbedCatalogue,
    implementations: {
      testbed: {
        skills: {
          ask: async ({ question }: { question: string }, { signal }: { signal: AbortSignal }) => ({ points: await ask(question, signal) }),
        },
        test: async () => ({ credentials: { ok: true, detail: 'It is only a test.' }, permissions: [], date: null }),
      },
    },
  };
}
