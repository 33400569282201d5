import {
  CancellationScope,
  isCancellation,
  proxyActivities,
  rootCause,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import {
  RECONCILE_PASSES,
  type ReconcileInput,
  type ReconcilePass,
  type ReconciliationActivities,
  type ReconciliationReport,
} from '../domain/investigation/reconciliation.js';
import { escapeMarkdown } from '../domain/text.js';
import { patched } from './lib/patched.js';

const { reconcileAlerts } = proxyActivities<ReconciliationActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 3 },
  summary: 'Recover orphaned investigations',
});

const SUMMARIES: Readonly<Record<ReconcilePass, string>> = {
  investigations: 'Recover orphaned investigations',
  proposals: 'Recover proposals',
  'skill-runs': 'Start lost skill runs',
  'due-follow-ups': 'Start lost follow-ups',
  'answerable-follow-ups': 'Begin follow-ups whose third party answers again',
  waiters: 'Wake workflows that wait for a connection',
  'agent-steps': 'Keep the steps of remote agents',
  housekeeping: 'Delete what is too old, and announce what is late',
};

/** Where each unfinished pass continues. */
type Places = Partial<Record<ReconcilePass, string>>;
type Outcome = ReconciliationReport & { readonly places?: Places };

/**
 * The schedule starts this workflow whenever none is open. A run that fails, that a person ends, or whose build is replaced is
 * followed by the next one at the next tick. Without input it makes one round of all passes.
 */
export function reconcile(input: ReconcileInput = { everySeconds: 0, passes: 1 }): Promise<Outcome> {
  return patched('separate-passes') ? new Reconciliation(readPlaces()).run(input) : reconcileInOnePass(input);
}

/** The run before this one may have ended in the middle of a long pass. */
function readPlaces(): Places {
  const last: unknown = workflowInfo().lastResult;
  const places: unknown = typeof last === 'object' && last !== null ? Reflect.get(last, 'places') : null;
  return typeof places === 'object' && places !== null ? { ...places } : {};
}

class Reconciliation {
  readonly #places: Places;
  readonly #running = new Map<ReconcilePass, Promise<void>>();
  readonly #total = { looked: 0, requeued: 0, failed: 0, problems: 0 };
  #isEnding = false;

  constructor(places: Places) {
    this.#places = places;
  }

  async run({ everySeconds, passes }: ReconcileInput): Promise<Outcome> {
    for (let round = 1; ; round += 1) {
      for (const pass of RECONCILE_PASSES) if (!this.#running.has(pass)) this.#start(pass);
      if (round >= passes || !(await this.#waitForNextRound(everySeconds, `Next round (${round + 1} of ${passes})`))) break;
    }
    // The next run continues. One without a next run goes to the end.
    this.#isEnding = passes > 1;
    await CancellationScope.nonCancellable(() => Promise.all(this.#running.values()));
    return { ...this.#total, places: this.#places };
  }

  /** False: the run was cancelled, and ends after the calls that run. */
  async #waitForNextRound(seconds: number, summary: string): Promise<boolean> {
    try {
      await sleep(seconds * 1000, { summary });
      return true;
    } catch (error) {
      if (isCancellation(error)) return false;
      throw error;
    }
  }

  #start(pass: ReconcilePass): void {
    const ended = CancellationScope.nonCancellable(() => this.#runToEnd(pass))
      .catch((error: unknown) => {
        this.#total.problems += 1;
        setCurrentDetails(escapeMarkdown(`The pass ${pass} failed: ${rootCause(error) ?? String(error)}`));
      })
      .finally(() => this.#running.delete(pass));
    this.#running.set(pass, ended);
  }

  async #runToEnd(pass: ReconcilePass): Promise<void> {
    const { reconcilePass } = proxyActivities<ReconciliationActivities>({
      startToCloseTimeout: '10m',
      heartbeatTimeout: '1m',
      retry: { maximumAttempts: 3 },
      summary: SUMMARIES[pass],
    });
    do {
      const { next, looked, requeued, failed, problems } = await reconcilePass({ pass, after: this.#places[pass] ?? null });
      this.#total.looked += looked;
      this.#total.requeued += requeued;
      this.#total.failed += failed;
      this.#total.problems += problems;
      if (next === null) delete this.#places[pass];
      else this.#places[pass] = next;
    } while (this.#places[pass] !== undefined && !this.#isEnding);
  }
}

/** Earlier builds had one activity for all passes. */
async function reconcileInOnePass(input: ReconcileInput): Promise<ReconciliationReport> {
  for (let pass = 1; ; pass += 1) {
    // A cancelled run ends between two passes.
    const report = await CancellationScope.nonCancellable(() => reconcileAlerts());
    if (pass >= input.passes) return report;
    try {
      await sleep(input.everySeconds * 1000, { summary: `Next pass (${pass + 1} of ${input.passes})` });
    } catch (error) {
      if (isCancellation(error)) return report;
      throw error;
    }
  }
}
