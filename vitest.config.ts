import { availableParallelism, totalmem } from 'node:os';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** Tests that need neither Postgres nor Temporal, by folder or suffix. `npm run test:unit` runs these alone. */
const UNIT = ['test/{connectors,domain,platform,project,workflows/playbooks}/**/*.test.ts', 'test/**/*.unit.test.ts'];
/** Tests that only `npm run test:full` runs. */
const FULL = ['test/**/*.full.test.ts'];
/** Pages: `npm test` checks them in one look, `npm run test:full` in every look (test/support/dashboard.ts). */
const PAGES = ['test/dashboard/**/*.test.ts'];
const isFull = process.env['TEST_FULL'] === '1';

/** Forks run many files each and keep the modules they loaded: loading them takes longer than most files do. */
export const FORKS: ViteUserConfig['test'] = {
  pool: 'forks',
  // Less work beside the tests: a larger young generation, no helper threads of the garbage collector, and optimized code only for what
  // runs a thousand times. Most code of a test runs a few times.
  execArgv: ['--max-semi-space-size=32', '--single-threaded-gc', '--sparkplug', '--interrupt-budget=600000'],
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
/**
 * Each fork loads the service (half a minute of CPU) and starts a browser, and the servers use the cores while it waits. One more than
 * cores takes more CPU time and ends no earlier. 1.5 GB is an estimate for a fork and its browser.
 */
const INTEGRATION_FORKS = Math.max(1, Math.min(CORES, Math.floor(totalmem() / 1.5e9)));

export default defineConfig({
  test: {
    maxWorkers: INTEGRATION_FORKS,
    reporters: ['default', './test/support/closing-line.ts'],
    coverage: {
      include: ['{activities,agent,api,channels,cli,connectors,db,dev,domain,local,platform,services,worker,workflows}/**/*.ts'],
      exclude: ['**/stand-in*/**', '**/stand-in*.ts'],
      reporter: ['text-summary', 'html', 'lcovonly'],
    },
    // One group after the other: a fork that changes from one project to the other loads everything again.
    projects: [
      {
        test: {
          ...FORKS,
          name: 'unit',
          maxWorkers: UNIT_FORKS,
          include: UNIT,
          exclude: FULL,
          globalSetup: ['test/support/playbook-list.ts'],
        },
      },
      {
        test: {
          ...FORKS,
          name: 'integration',
          include: ['test/**/*.test.ts'],
          exclude: [...UNIT, ...FULL, ...(isFull ? PAGES : []), 'test/keycloak/**'],
          sequence: { groupOrder: 1 },
          globalSetup: GLOBAL_SETUP,
        },
      },
      {
        test: {
          ...FORKS,
          name: 'full',
          include: [...FULL, ...(isFull ? PAGES : [])],
          exclude: ['test/**/*.unit.test.ts'],
          sequence: { groupOrder: 2 },
          globalSetup: GLOBAL_SETUP,
        },
      },
    ],
  },
});
