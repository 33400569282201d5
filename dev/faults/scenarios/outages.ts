import { setTimeout as sleep } from 'node:timers/promises';
import type { Scenario } from '../scenario.js';

const OUTAGE_MS = 60_000;

export const outages: readonly Scenario[] = [
  {
    part: 'outages',
    name: 'Temporal does not answer for 60 s',
    async run({ installation: { temporal }, signal }) {
      // A stopped process keeps its connections open, which is worse than an error for each call.
      temporal.signal('SIGSTOP');
      try {
        await sleep(OUTAGE_MS, undefined, { signal });
      } finally {
        temporal.signal('SIGCONT');
      }
      return { faults: 1 };
    },
  },
  {
    part: 'outages',
    name: 'Postgres is away for 60 s',
    async run({ installation: { postgres }, signal }) {
      await postgres.stop();
      await sleep(OUTAGE_MS, undefined, { signal });
      await postgres.start();
      return { faults: 1 };
    },
  },
];
