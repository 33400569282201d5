import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { surviveDatabaseLoss } from '../../db/database-loss.js';
import { replaceBlock } from '../docs/markdown.js';
import { requireParts, runBounded } from '../processes/bounded-run.js';
import { say } from './progress.js';
import { listViolations, renderReport } from './report.js';
import { runScenarios } from './run-scenarios.js';
import type { Scenario } from './scenario.js';
import { agent } from './scenarios/agent.js';
import { builds } from './scenarios/builds.js';
import { clock } from './scenarios/clock.js';
import { disk } from './scenarios/disk.js';
import { keys } from './scenarios/keys.js';
import { kills } from './scenarios/kills.js';
import { outages } from './scenarios/outages.js';
import { thirdParties } from './scenarios/third-parties.js';

export interface FaultsOptions {
  readonly repetitions?: number;
  readonly seed?: number;
  readonly write?: boolean;
}

const NAME = 'fault run';
const SCENARIOS: readonly Scenario[] = [...kills, ...outages, thirdParties, agent, keys, builds, disk, clock];
const REPETITIONS = 10;
const SEED_LIMIT = 1_000_000;
const LIMIT_MINUTES = 60;
const REPORT_FILE = 'faults-report.json';
const DOCUMENT = fileURLToPath(new URL('../../docs/reliability.md', import.meta.url));

/** `alert-investigator faults`: runs the named parts, by default all, and reports the damage. */
export async function runFaults(wanted: readonly string[], options: FaultsOptions): Promise<void> {
  const parts = requireParts(NAME, [...new Set(SCENARIOS.map(({ part }) => part))], wanted);
  const scenarios = SCENARIOS.filter(({ part }) => parts.includes(part));
  const { seed = randomInt(SEED_LIMIT), repetitions = REPETITIONS } = options;
  await runBounded({ name: NAME, limitMinutes: LIMIT_MINUTES }, async ({ folder, signal, stop, describe }) => {
    surviveDatabaseLoss({ warn: () => undefined }, stop);
    say(`the seed of the random moments is ${seed}`);
    const began = new Date().toISOString();
    const results = await runScenarios(scenarios, { folder, seed, repetitions, signal });
    const description = describe();
    const { minutes, machine } = description;
    const report = renderReport(results, { seed, ...description });
    writeFileSync(REPORT_FILE, `${JSON.stringify({ seed, minutes, machine, began, results }, null, 2)}\n`);
    if (options.write) writeFileSync(DOCUMENT, replaceBlock(readFileSync(DOCUMENT, 'utf8'), 'faults', report));
    console.log(`\n${report}\n`);
    if (results.some((result) => listViolations(result).length > 0)) process.exitCode = 1;
  });
}
