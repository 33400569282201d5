import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../local/processes.js';
import { findTemporalCli } from '../../local/temporal/cli.js';
import { createLogger } from '../../platform/log.js';
import { Installation, type InstallationOptions } from './installation.js';
import { checkLastWrites } from './last-writes.js';
import { measureScenario } from './measure.js';
import { say } from './progress.js';
import { createRandom, type Random } from './random.js';
import { failedResult, listViolations, type Result, skippedResult } from './report.js';
import { type Scenario, Skipped } from './scenario.js';

export interface RunOptions {
  readonly folder: string;
  readonly seed: number;
  readonly repetitions: number;
  readonly signal: AbortSignal;
}

const BUILD_LIMIT_MS = 300_000;
const BIN = fileURLToPath(new URL('../../bin/alert-investigator', import.meta.url));

export async function runScenarios(scenarios: readonly Scenario[], options: RunOptions): Promise<Result[]> {
  const { signal } = options;
  const temporalCli = await findTemporalCli({ given: process.env['TEMPORAL_CLI'], log: createLogger('info', 'faults'), signal });
  await run(process.execPath, [BIN, 'build'], { timeoutMs: BUILD_LIMIT_MS, signal });
  say('built dist/');
  const runner = new ScenarioRunner(options, temporalCli);
  const results: Result[] = [];
  try {
    for (const scenario of scenarios) {
      say(`${scenario.name} …`);
      const result = await runner.run(scenario);
      results.push(result);
      const missed = listViolations(result);
      say(`${scenario.name}: ${result.skipped ?? (missed.length === 0 ? 'met' : `MISSED: ${missed.join('; ')}`)}`);
    }
    results.push(...(await runner.checkLastWrites()));
  } finally {
    await runner.close();
  }
  return results;
}

class ScenarioRunner {
  readonly #options: RunOptions;
  readonly #temporalCli: string;
  readonly #random: Random;
  /** Scenarios without their own installation share one, until one of them breaks it. */
  #shared: Installation | null = null;
  #count = 0;

  constructor(options: RunOptions, temporalCli: string) {
    this.#options = options;
    this.#temporalCli = temporalCli;
    this.#random = createRandom(options.seed);
  }

  async run(scenario: Scenario): Promise<Result> {
    this.#count += 1;
    try {
      return await (scenario.prepare ? this.#runAlone(scenario, scenario.prepare) : this.#runShared(scenario));
    } catch (error) {
      this.#options.signal.throwIfAborted();
      if (error instanceof Skipped) return skippedResult(scenario, error.message);
      return failedResult(scenario, error instanceof Error ? error.message : String(error));
    }
  }

  /** Of the shared installation, if a scenario used it. */
  async checkLastWrites(): Promise<Result[]> {
    return this.#shared === null ? [] : [await checkLastWrites(this.#shared)];
  }

  async close(): Promise<void> {
    await this.#shared?.close();
    this.#shared = null;
  }

  async #runShared(scenario: Scenario): Promise<Result> {
    this.#shared ??= await this.#install({});
    try {
      return await this.#measure(scenario, this.#shared);
    } catch (error) {
      say(this.#shared.endsOfLogs());
      await this.close();
      throw error;
    }
  }

  async #runAlone(scenario: Scenario, prepare: NonNullable<Scenario['prepare']>): Promise<Result> {
    const folder = this.#createFolder();
    const { options, undo } = await prepare(folder);
    try {
      const installation = await this.#install({ folder, ...options });
      try {
        return await this.#measure(scenario, installation);
      } finally {
        await installation.close();
      }
    } finally {
      await undo();
    }
  }

  #createFolder(): string {
    const folder = path.join(this.#options.folder, `installation-${this.#count}`);
    mkdirSync(folder, { mode: 0o711 });
    return folder;
  }

  async #install(options: Partial<InstallationOptions>): Promise<Installation> {
    const folder = options.folder ?? this.#createFolder();
    const log = createLogger('error', 'faults');
    return await Installation.start({ temporalCli: this.#temporalCli, log, signal: this.#options.signal, ...options, folder });
  }

  async #measure(scenario: Scenario, installation: Installation): Promise<Result> {
    const { seed, repetitions, signal } = this.#options;
    const label = `faults-${seed}-${this.#count}`;
    return await measureScenario(scenario, { installation, label, random: this.#random, repetitions, signal, say });
  }
}
