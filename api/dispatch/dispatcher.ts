import { setTimeout as delay } from 'node:timers/promises';
import {
  type DispatchAllowance,
  hasWaitingAlerts,
  isShared,
  leaseOutbox,
  markDispatched,
  OUTBOX_CHANNEL,
  type OutboxAlert,
  readProgress,
  releaseLeases,
} from '../../db/alerts/outbox.js';
import type { Database } from '../../db/client.js';
import { fail } from '../../db/investigations/lifecycle.js';
import { type ChosenPlaybook, findOrCreatePlaybook } from '../../db/playbooks/playbooks.js';
import type { Logger } from '../../platform/log.js';
import type { Metrics } from '../../platform/metrics.js';
import { planner } from '../planner.js';
import { AdaptiveConcurrencyLimiter } from './adaptive-concurrency-limiter.js';
import type { InvestigationStarter } from './investigation-starter.js';

/** Starts in flight at once: Temporal has no bulk start, and more only queue up there. */
const WAVE_SIZE = 40;
const LEASE_SECONDS = 20;
const POLL_MS = 2_000;
const RETRY_SECONDS = 1;
const MAX_BACKOFF_MS = 5_000;
/** What is under way for longer than this waits for a third party, or a person, rather than for us, and makes room. */
const UNDER_WAY_MS = 30_000;
/** Where nobody is held back, more than this are not worth watching. */
const WATCHED_AT_MOST = 500;
/** How soon a flood that was held back is looked at again. */
const HELD_BACK_MS = 40;

export interface DispatcherDeps {
  readonly database: Database;
  readonly starter: Pick<InvestigationStarter, 'start'>;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** Carries alerts from the outbox to Temporal. Any number of processes may run one. */
export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #stopping = new AbortController();
  /** What this process has handed over lately, and has not ended. Of a re-investigation the case does not tell when it began. */
  readonly #underWay = new Map<string, { readonly organizationUuid: string; readonly sinceMs: number; hasBegun: boolean }>();
  readonly #limiter = new AdaptiveConcurrencyLimiter();
  #wake = new AbortController();
  #isCarrying = false;
  #aside: Promise<void> | null = null;
  #running: Promise<void> = Promise.resolve();
  #unlisten: (() => Promise<void>) | null = null;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    const { pg } = this.#deps.database;
    const wake = () => this.wake();
    ({ unlisten: this.#unlisten } = await pg.listen(OUTBOX_CHANNEL, wake, wake));
    this.#running = this.#run();
  }

  /** There is something in the outbox: it does not wait for the end of a wave that is under way. */
  wake(): void {
    this.#wake.abort();
    if (!this.#isCarrying || this.#aside !== null || this.#stopping.signal.aborted) return;
    this.#aside = this.#dispatchWave()
      // What it did not carry, the next wave will.
      .catch((error) => this.#deps.log.warn({ err: error }, 'dispatching failed; trying again'))
      .then(() => {
        this.#aside = null;
      });
  }

  /** Finishes the wave it is in; what it leased beyond that frees itself. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await Promise.all([this.#running, this.#aside]);
    await this.#unlisten?.().catch(() => {});
  }

  async #run(): Promise<void> {
    let failures = 0;
    let isHeldBack = false;
    while (!this.#stopping.signal.aborted) {
      this.#wake = new AbortController();
      try {
        this.#isCarrying = true;
        const wave = await this.#dispatchWave();
        failures = wave.temporalAway ? failures + 1 : 0;
        if (failures === 0 && wave.leased === WAVE_SIZE) continue;
        isHeldBack = wave.shared && (await hasWaitingAlerts(this.#deps.database.pg));
      } catch (error) {
        failures += 1;
        this.#deps.log.warn({ err: error }, 'dispatching failed; trying again');
      } finally {
        this.#isCarrying = false;
      }
      await this.#pause(failures, isHeldBack);
    }
  }

  /** How soon what was handed over begins says how busy the workers are. */
  async #measureAllowance(): Promise<DispatchAllowance> {
    const progress = await readProgress(this.#deps.database.pg, [...this.#underWay.keys()]);
    const now = Date.now();
    for (const [alertUuid, investigation] of this.#underWay) {
      const { hasEnded = true, begunAtMs = null } = progress.get(alertUuid) ?? {};
      if (!investigation.hasBegun) {
        investigation.hasBegun = hasEnded || begunAtMs !== null;
        // Clocks of two machines may differ by a little.
        this.#limiter.observe(Math.max(0, (begunAtMs ?? now) - investigation.sinceMs), investigation.hasBegun, now);
      }
      if (hasEnded || now - investigation.sinceMs > UNDER_WAY_MS) this.#underWay.delete(alertUuid);
    }
    return this.#limiter.allowance(this.#underWay.values(), now);
  }

  /** Until there is something to do, or long enough that a lost notification is noticed; longer while things fail. */
  async #pause(failures: number, isHeldBack: boolean): Promise<void> {
    // Stopping wakes, too.
    const { signal } = failures > 0 ? this.#stopping : this.#wake;
    const idleMs = isHeldBack ? HELD_BACK_MS : POLL_MS;
    const waitMs = failures > 0 ? Math.min(MAX_BACKOFF_MS, 250 * 2 ** failures) : idleMs;
    await delay(waitMs, undefined, { signal }).catch(() => {});
  }

  async #dispatchWave(): Promise<{ leased: number; shared: boolean; temporalAway: boolean }> {
    const { database, log } = this.#deps;
    const shared = await isShared(database.pg);
    const lease = { limit: WAVE_SIZE, leaseSeconds: LEASE_SECONDS };
    const wave = await leaseOutbox(database.pg, shared ? { ...lease, allowance: await this.#measureAllowance() } : lease);
    // An alert wakes the dispatcher of the process that took it; more than that one can carry is announced to the others.
    if (wave.length === WAVE_SIZE) await database.pg.notify(OUTBOX_CHANNEL, '');
    const playbooks = new Map<string, Promise<ChosenPlaybook>>();
    const results = await Promise.all(wave.map((alert) => this.#dispatch(alert, playbooks, shared)));
    const accepted = results.filter((result) => result.outcome.kind === 'accepted');
    for (const { alert, sinceMs } of shared ? accepted.slice(0, WATCHED_AT_MOST - this.#underWay.size) : []) {
      this.#limiter.serve(alert.organizationUuid, sinceMs);
      this.#underWay.set(alert.alertUuid, { organizationUuid: alert.organizationUuid, sinceMs, hasBegun: alert.investigationNo > 1 });
    }
    if (accepted.length > 0) {
      await markDispatched(
        database.pg,
        accepted.map(({ alert, playbook }) => ({
          alertUuid: alert.alertUuid,
          investigationNo: alert.investigationNo,
          playbookUuid: playbook.playbookUuid,
        })),
      );
    }
    const later = results.filter((result) => result.outcome.kind === 'later');
    if (later.length > 0) {
      const reasons = new Set(later.map(({ outcome }) => (outcome.kind === 'later' ? outcome.reason : '')));
      log.warn({ alerts: later.length, reasons: [...reasons].slice(0, 3) }, 'Temporal did not take these alerts yet; they wait');
      await releaseLeases(
        database.pg,
        later.map(({ alert }) => alert.alertUuid),
        RETRY_SECONDS,
      );
    }
    return { leased: wave.length, shared, temporalAway: later.some(({ outcome }) => outcome.kind === 'later' && outcome.temporalAway) };
  }

  async #dispatch(alert: OutboxAlert, playbooks: Map<string, Promise<ChosenPlaybook>>, shared: boolean) {
    const { database, starter, metrics, log } = this.#deps;
    const key = `${alert.organizationUuid} ${alert.alertTypeKey}`;
    const found = playbooks.get(key) ?? findOrCreatePlaybook(database.pg, alert.organizationUuid, alert.alertType, planner);
    playbooks.set(key, found);
    const playbook = await found;
    const sinceMs = Date.now();
    // Temporal's queue deals out by turns what several organizations send.
    const outcome = await starter.start(alert, playbook, { queued: shared });
    metrics.dispatches.inc({ outcome: outcome.kind });
    if (outcome.kind === 'accepted') metrics.dispatchLagSeconds.observe(Math.max(0, Date.now() / 1000 - alert.createdAt));
    if (outcome.kind === 'refused') {
      log.error({ alert_id: alert.alertId, reason: outcome.reason }, 'Temporal refuses this investigation');
      await fail(database.db, alert, 'refuse', { attempt: 1, reason: outcome.reason, playbookUuid: playbook.playbookUuid });
    }
    return { alert, playbook, outcome, sinceMs };
  }
}
