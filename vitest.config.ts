import { availableParallelism, totalmem } from 'node:os';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import SlowFilesFirst from './test/support/slow-files-first.js';

/** Tests that need neither Postgres nor Temporal, and no long computation. `npm run test:unit` runs these alone. */
const UNIT = [
  'test/domain/**/*.test.ts',
  'test/dev/faults/**/*.test.ts',
  'test/platform/**/*.test.ts',
  'test/project/!(bundle|new-connector).test.ts',
  'test/activities/entities/**/*.test.ts',
  'test/connectors/**/!(malware-protection-stream).test.ts',
  'test/api/dispatch/adaptive-concurrency-limiter.test.ts',
  'test/api/http/**/*.test.ts',
  'test/dashboard/schema.test.ts',
  'test/worker/restarting-worker.test.ts',
  'test/workflows/plan-steps.test.ts',
  'test/workflows/playbooks/!(with-third-parties).test.ts',
];

/** Forks run many files each and keep the modules they loaded: loading them takes longer than most files do. */
export const FORKS: ViteUserConfig['test'] = {
  pool: 'forks',
  isolate: false,
  setupFiles: ['test/support/setup-file.ts'],
  // Only a test that waits in vain ends by its limit, also on a busy machine.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  teardownTimeout: 60_000,
};

export const GLOBAL_SETUP = ['test/support/playbook-list.ts', 'test/support/global-setup.ts'];

const CORES = availableParallelism();
/** One more than cores, because the longest file mostly waits between attempts. */
const UNIT_FORKS = CORES + 1;
/** Integration tests wait much of the time for servers and timers. 1.5 GB is an estimate for a fork and its browser. */
const INTEGRATION_FORKS = Math.max(1, Math.min(CORES + 4, Math.floor(totalmem() / 1.5e9)));

export default defineConfig({
  test: {
    maxWorkers: INTEGRATION_FORKS,
    reporters: ['default', './test/support/closing-line.ts'],
    sequence: { sequencer: SlowFilesFirst },
    coverage: {
      include: ['{activities,agent,api,channels,cli,connectors,db,dev,domain,local,platform,services,worker,workflows}/**/*.ts'],
      exclude: ['**/stand-in*/**', '**/stand-in*.ts'],
      reporter: ['text-summary', 'html', 'lcovonly'],
    },
    projects: [
      { test: { ...FORKS, name: 'unit', maxWorkers: UNIT_FORKS, include: UNIT, globalSetup: ['test/support/playbook-list.ts'] } },
      {
        test: {
          ...FORKS,
          name: 'integration',
          include: ['test/**/*.test.ts'],
          exclude: [...UNIT, 'test/keycloak/**'],
          // Not between unit tests: a fork that changes from one project to the other loads everything again.
          sequence: { groupOrder: 1 },
          globalSetup: GLOBAL_SETUP,
        },
      },
    ],
  },
});
