import { setTimeout as sleep } from 'node:timers/promises';
import { InvestigationStatus } from '../../domain/alert/alert.js';
import { until } from '../processes/waiting.js';
import type { Installation } from './installation.js';
import { type Sent, startLoad } from './load.js';
import { judgeOutcome, type Outcome, readStoredAlerts } from './outcome.js';
import type { Random } from './random.js';
import type { Result } from './report.js';
import type { Scenario } from './scenario.js';

/** The target: no investigation is open this long after the cause is gone. */
const OPEN_LIMIT_SECONDS = 60;
/** To report how long the last one took when the target is missed. */
const GIVE_UP_SECONDS = 240;
const WARM_UP_ALERTS = 3;
const WARM_UP_LIMIT_MS = 120_000;
const POLL_MS = 500;

export interface MeasureOptions {
  readonly installation: Installation;
  readonly label: string;
  readonly random: Random;
  readonly repetitions: number;
  readonly signal: AbortSignal;
  say(text: string): void;
}

/** Runs one scenario under load. Every scenario ends with the same checks. */
export async function measureScenario({ part, name, run }: Scenario, options: MeasureOptions): Promise<Result> {
  const { installation, label, signal, say } = options;
  const began = performance.now();
  const giveUp = new AbortController();
  const load = startLoad(installation, label, AbortSignal.any([signal, giveUp.signal]));
  try {
    await untilUnderLoad(installation, label, signal);
    const report = await run({ ...options, load });
    await installation.untilReady();
    const recovered = performance.now();
    const ended = await waitForEnds(options, await load.stop(), recovered);
    if (ended.openAfterLimit > 0) say(`${name}: ${ended.openAfterLimit} were open after ${OPEN_LIMIT_SECONDS} s`);
    const { faults, problems = [], notes = [] } = report;
    return { part, name, skipped: null, faults, ...ended, problems, notes, tookSeconds: secondsSince(began) };
  } catch (error) {
    giveUp.abort(error);
    throw error;
  }
}

async function waitForEnds({ installation, label, signal }: MeasureOptions, sent: Sent, recovered: number) {
  let openAfterLimit: number | null = null;
  for (;;) {
    const outcome = await judge(installation, label, sent);
    const seconds = secondsSince(recovered);
    if (outcome.open.length === 0) return { ...outcome, openAfterLimit: openAfterLimit ?? 0, secondsUntilLast: seconds };
    if (seconds > OPEN_LIMIT_SECONDS) openAfterLimit ??= outcome.open.length;
    if (seconds > GIVE_UP_SECONDS) return { ...outcome, openAfterLimit: openAfterLimit ?? 0, secondsUntilLast: null };
    await sleep(POLL_MS, undefined, { signal });
  }
}

async function judge(installation: Installation, label: string, sent: Sent): Promise<Outcome> {
  const actions = installation.endpoints.flatMap(({ state }) => state.actions);
  return judgeOutcome({
    ...sent,
    stored: await readStoredAlerts(installation.pg, label),
    performed: actions.filter(({ requestorComment }) => requestorComment.startsWith(`${label} write `)),
  });
}

/** A fault before the first investigation would prove less. */
async function untilUnderLoad(installation: Installation, label: string, signal: AbortSignal): Promise<void> {
  await until(
    async () => {
      const stored = await readStoredAlerts(installation.pg, label);
      const completed = stored.filter(({ status }) => status === InvestigationStatus.Completed).length;
      return { seen: completed >= WARM_UP_ALERTS, instead: `${completed} of ${stored.length} alerts are completed` };
    },
    { limitMs: WARM_UP_LIMIT_MS, signal },
  );
}

function secondsSince(began: number): number {
  return Math.round((performance.now() - began) / 100) / 10;
}
