import type { Installation, InstallationOptions } from './installation.js';
import type { Load } from './load.js';
import type { Random } from './random.js';

export interface ScenarioContext {
  readonly installation: Installation;
  /** Sends alerts and writes until the scenario returns. */
  readonly load: Load;
  readonly random: Random;
  /** How many times a scenario repeats a kill. */
  readonly repetitions: number;
  readonly signal: AbortSignal;
  say(text: string): void;
}

export interface ScenarioReport {
  /** How many times something failed. */
  readonly faults: number;
  /** Violations that only this scenario can see. */
  readonly problems?: readonly string[];
  /** Observations for the report. */
  readonly notes?: readonly string[];
}

export interface Scenario {
  /** The name of the part on the command line. A part can have several scenarios. */
  readonly part: string;
  readonly name: string;
  /** Prepares an installation of its own. Without it, scenarios share one installation. */
  readonly prepare?: (folder: string) => Promise<{ readonly options: Partial<InstallationOptions>; undo(): Promise<void> }>;
  /** Makes something fail, and returns when the cause is gone. The caller then waits and checks. */
  readonly run: (context: ScenarioContext) => Promise<ScenarioReport>;
}

/** Thrown by a scenario that this machine cannot run. */
export class Skipped extends Error {}
