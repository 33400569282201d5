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
import type { ChosenPlaybook } from '../../db/playbooks/playbooks.js';
import { backoffMs } from '../../platform/backoff.js';
import type { Logger } from '../../platform/log.js';
import type { Metrics } from '../../platform/metrics.js';
import { asService } from '../../services/context.js';
import { failInvestigation } from '../../services/investigations/fail.js';
import { findOrCreatePlaybook, refinePlaybook } from '../../services/playbooks/find-or-create.js';
import { planner } from '../../services/playbooks/planner.js';
import { AdaptiveConcurrencyLimiter } from './adaptive-concurrency-limiter.js';
import type { InvestigationStarter } from './investigation-starter.js';

/** Starts in flight at once. Temporal has no bulk start, and more starts only wait in its queue. */
const WAVE_SIZE = 40;
const LEASE_SECONDS = 20;
const POLL_MS = 2_000;
const RETRY_SECONDS = 1;
const BACKOFF = { baseMs: 250, maxMs: 5_000 };
/** An investigation that runs longer waits for a third party or a person, so it no longer counts as load. */
const MAX_TRACKED_MS = 30_000;
const MAX_TRACKED = 500;
/** The poll interval while the limiter holds alerts back. */
const HELD_BACK_POLL_MS = 40;

export interface DispatcherDeps {
  readonly database: Database;
  readonly starter: Pick<InvestigationStarter, 'start'>;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** Starts a workflow for each alert in the outbox. Several processes may run a dispatcher at the same time. */
export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #stopping = new AbortController();
  /** Investigations that this process started recently. The case does not say when a re-investigation began. */
  readonly #tracked = new Map<string, { readonly organizationUuid: string; readonly sinceMs: number; hasBegun: boolean }>();
  readonly #limiter = new AdaptiveConcurrencyLimiter();
  #wake = new AbortController();
  #isDispatching = false;
  #extraWave: Promise<void> | null = null;
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

  /** A new alert does not wait for the end of the current wave: it starts one extra wave. */
  wake(): void {
    this.#wake.abort();
    if (!this.#isDispatching || this.#extraWave !== null || this.#stopping.signal.aborted) return;
    this.#extraWave = this.#dispatchWave()
      // The next wave takes the alerts that this one left.
      .catch((error) => this.#deps.log.warn({ err: error }, 'dispatching failed, trying again'))
      .then(() => {
        this.#extraWave = null;
      });
  }

  /** Finishes the current wave. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await Promise.all([this.#running, this.#extraWave]);
    await this.#unlisten?.().catch(() => {});
  }

  async #run(): Promise<void> {
    let failures = 0;
    let isHeldBack = false;
    while (!this.#stopping.signal.aborted) {
      this.#wake = new AbortController();
      try {
        this.#isDispatching = true;
        const wave = await this.#dispatchWave();
        failures = wave.temporalAway ? failures + 1 : 0;
        if (failures === 0 && wave.leased === WAVE_SIZE) continue;
        isHeldBack = wave.shared && (await hasWaitingAlerts(this.#deps.database.pg));
      } catch (error) {
        failures += 1;
        this.#deps.log.warn({ err: error }, 'dispatching failed, trying again');
      } finally {
        this.#isDispatching = false;
      }
      await this.#pause(failures, isHeldBack);
    }
  }

  /** The delay between a start and its first step shows how busy the workers are. */
  async #measureAllowance(): Promise<DispatchAllowance> {
    const progress = await readProgress(this.#deps.database.pg, [...this.#tracked.keys()]);
    const now = Date.now();
    for (const [alertUuid, investigation] of this.#tracked) {
      const { hasEnded = true, begunAtMs = null } = progress.get(alertUuid) ?? {};
      if (!investigation.hasBegun) {
        investigation.hasBegun = hasEnded || begunAtMs !== null;
        // The clocks of two machines may differ.
        this.#limiter.observe(Math.max(0, (begunAtMs ?? now) - investigation.sinceMs), investigation.hasBegun, now);
      }
      if (hasEnded || now - investigation.sinceMs > MAX_TRACKED_MS) this.#tracked.delete(alertUuid);
    }
    return this.#limiter.allowance(this.#tracked.values(), now);
  }

  /** Waits for the next wake-up, at most one poll interval, because a notification can get lost. Failures back off. */
  async #pause(failures: number, isHeldBack: boolean): Promise<void> {
    const { signal } = failures > 0 ? this.#stopping : this.#wake;
    const idleMs = isHeldBack ? HELD_BACK_POLL_MS : POLL_MS;
    const waitMs = failures > 0 ? backoffMs(failures, BACKOFF) : idleMs;
    await delay(waitMs, undefined, { signal }).catch(() => {});
  }

  async #dispatchWave(): Promise<{ leased: number; shared: boolean; temporalAway: boolean }> {
    const { database, log } = this.#deps;
    const shared = await isShared(database.pg);
    const lease = { limit: WAVE_SIZE, leaseSeconds: LEASE_SECONDS };
    const wave = await leaseOutbox(database.pg, shared ? { ...lease, allowance: await this.#measureAllowance() } : lease);
    // An alert wakes only the dispatcher of its own process. A full wave wakes the other processes too.
    if (wave.length === WAVE_SIZE) await database.pg.notify(OUTBOX_CHANNEL, '');
    const playbooks = new Map<string, Promise<ChosenPlaybook>>();
    const results = await Promise.all(wave.map((alert) => this.#dispatch(alert, playbooks, shared)));
    const accepted = results.filter((result) => result.outcome.kind === 'accepted');
    for (const { alert, sinceMs } of shared ? accepted.slice(0, MAX_TRACKED - this.#tracked.size) : []) {
      this.#limiter.serve(alert.organizationUuid, sinceMs);
      this.#tracked.set(alert.alertUuid, { organizationUuid: alert.organizationUuid, sinceMs, hasBegun: alert.investigationNo > 1 });
    }
    if (accepted.length > 0) {
      await markDispatched(
        database.pg,
        accepted.map(({ alert, playbook }) => ({
          alertUuid: alert.alertUuid,
          investigationNo: alert.investigationNo,
          playbookUuid: playbook.playbookUuid,
          playbookReason: playbook.reason,
        })),
      );
    }
    const later = results.filter((result) => result.outcome.kind === 'later');
    if (later.length > 0) {
      const reasons = new Set(later.map(({ outcome }) => (outcome.kind === 'later' ? outcome.reason : '')));
      log.warn(
        { alerts: later.length, reasons: [...reasons].slice(0, 3) },
        'Temporal did not accept these alerts; they stay in the outbox',
      );
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
    const playbook = await refinePlaybook(database.pg, alert, await found, planner);
    const sinceMs = Date.now();
    // With several organizations, the task queue round-robins between them.
    const outcome = await starter.start(alert, playbook, { queued: shared });
    metrics.dispatches.inc({ outcome: outcome.kind });
    if (outcome.kind === 'accepted') metrics.dispatchLagSeconds.observe(Math.max(0, Date.now() / 1000 - alert.createdAt));
    if (outcome.kind === 'refused') {
      log.error({ alert_id: alert.alertId, reason: outcome.reason }, 'Temporal refused to start this investigation');
      await failInvestigation(asService(database.db), alert, 'refuse', {
        attempt: 1,
        reason: outcome.reason,
        playbookUuid: playbook.playbookUuid,
      });
    }
    return { alert, playbook, outcome, sinceMs };
  }
}
