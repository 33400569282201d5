import { randomInt } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { surviveDatabaseLoss } from '../../db/database-loss.js';
import { StartError } from '../../platform/start-error.js';
import { replaceBlock } from '../docs/markdown.js';
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

const SCENARIOS: readonly Scenario[] = [...kills, ...outages, thirdParties, agent, keys, builds, disk, clock];
const REPETITIONS = 10;
const SEED_LIMIT = 1_000_000;
const LIMIT_MINUTES = 60;
const REPORT_FILE = 'faults-report.json';
const DOCUMENT = fileURLToPath(new URL('../../docs/reliability.md', import.meta.url));

/** `alert-investigator faults`: runs the named parts, by default all, and reports the damage. */
export async function runFaults(wanted: readonly string[], options: FaultsOptions): Promise<void> {
  const parts = [...new Set(SCENARIOS.map(({ part }) => part))];
  const unknown = wanted.filter((name) => !parts.includes(name));
  if (unknown.length > 0) throw new StartError(`The fault run has no part ${unknown.join(', ')}. Its parts are ${parts.join(', ')}.`);
  const scenarios = SCENARIOS.filter(({ part }) => wanted.length === 0 || wanted.includes(part));

  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => stopping.abort(new StartError(`${name}: the fault run was stopped.`)));
  surviveDatabaseLoss({ warn: () => undefined }, (error) => stopping.abort(error));
  const tooLong = new StartError(`The fault run took longer than its limit of ${LIMIT_MINUTES} minutes.`);
  setTimeout(() => stopping.abort(tooLong), LIMIT_MINUTES * 60_000).unref();

  const began = Date.now();
  const seed = options.seed ?? randomInt(SEED_LIMIT);
  const folder = mkdtempSync(path.join(tmpdir(), 'alert-investigator-faults-'));
  // The user postgres, which runs Postgres for root, needs to pass through it.
  chmodSync(folder, 0o711);
  say(`the seed of the random moments is ${seed}`);
  try {
    const repetitions = options.repetitions ?? REPETITIONS;
    const results = await runScenarios(scenarios, { folder, seed, repetitions, signal: stopping.signal });
    const minutes = Math.round((Date.now() - began) / 6_000) / 10;
    const machine = `${cpus().length} cores, Node.js ${process.version}`;
    const report = renderReport(results, { seed, minutes, date: new Date(began).toISOString().slice(0, 10), machine });
    writeFileSync(REPORT_FILE, `${JSON.stringify({ seed, minutes, machine, began: new Date(began).toISOString(), results }, null, 2)}\n`);
    if (options.write) writeFileSync(DOCUMENT, replaceBlock(readFileSync(DOCUMENT, 'utf8'), 'faults', report));
    console.log(`\n${report}\n`);
    if (results.some((result) => listViolations(result).length > 0)) process.exitCode = 1;
  } catch (error) {
    process.exitCode = 1;
    const cause = stopping.signal.aborted ? stopping.signal.reason : error;
    console.error(cause instanceof StartError ? cause.message : cause);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
  process.exit();
}
