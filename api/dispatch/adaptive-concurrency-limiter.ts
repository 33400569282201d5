import type { DispatchAllowance } from '../../db/alerts/outbox.js';

const MAX_LIMIT = 128;
/** Below one: one at a time, with a pause before the next. */
const MIN_LIMIT = 0.35;
const PAUSE_MS = 100;
/** The limit before the first observation. */
const FIRST_LIMIT = 4;
/** Normal variation of the delay. */
const TOLERATED_MS = 10;
/** The best delay decays, because workers come and go. */
const DECAY_PER_SECOND = 1.01;
/** An investigation needs the workers most at its start: for this time, organizations that were served more get less. */
const FRESH_MS = 200;
/** Such an organization gets this fraction of its share ... */
const YIELDING_SHARE_DIVISOR = 4;
/** ... and at least one investigation after this time. */
const PATIENCE_MS = 1_000;
/** The time constant with which earlier starts stop counting. */
const SERVED_WITHIN_MS = 2_000;
const MANY_RECENT_STARTS = 2;

interface Served {
  /** Recent starts; older ones count less. */
  readonly amount: number;
  readonly atMs: number;
}

/**
 * Limits the concurrent investigations of an organization while several organizations send alerts. It measures the delay from
 * start to first step: a short delay raises the limit, a longer one lowers it. The speed of third parties does not count.
 */
export class AdaptiveConcurrencyLimiter {
  readonly #served = new Map<string, Served>();
  #limit = FIRST_LIMIT;
  #bestMs = Number.POSITIVE_INFINITY;
  #seenAtMs = 0;
  #loweredAtMs = 0;

  get atMost(): number {
    return Math.max(1, Math.floor(this.#limit));
  }

  /** An investigation began after this delay, or has not begun yet. */
  observe(waitedMs: number, hasBegun: boolean, nowMs: number): void {
    this.#bestMs *= DECAY_PER_SECOND ** Math.min(600, (nowMs - this.#seenAtMs) / 1000);
    this.#seenAtMs = nowMs;
    if (hasBegun) this.#bestMs = Math.min(this.#bestMs, waitedMs);
    const isLate = waitedMs > 1.25 * this.#bestMs + TOLERATED_MS;
    if (!isLate && hasBegun) this.#limit = Math.min(MAX_LIMIT, this.#limit + 0.5 / this.#limit);
    // Several late investigations at the same moment lower the limit once.
    if (isLate && nowMs - this.#loweredAtMs > waitedMs / 2) {
      this.#limit = Math.max(MIN_LIMIT, this.#limit * 0.7);
      this.#loweredAtMs = nowMs;
    }
  }

  serve(organizationUuid: string, nowMs: number): void {
    this.#served.set(organizationUuid, { amount: this.#servedLately(organizationUuid, nowMs) + 1, atMs: nowMs });
  }

  /** The number of further investigations that each organization may start now. */
  allowance(underWay: Iterable<{ readonly organizationUuid: string; readonly sinceMs: number }>, nowMs: number): DispatchAllowance {
    const counts = new Map<string, number>();
    let leastServed = Number.POSITIVE_INFINITY;
    for (const { organizationUuid, sinceMs } of underWay) {
      counts.set(organizationUuid, (counts.get(organizationUuid) ?? 0) + 1);
      if (nowMs - sinceMs < FRESH_MS) leastServed = Math.min(leastServed, this.#servedLately(organizationUuid, nowMs));
    }
    const byOrganization = new Map<string, number>();
    for (const [organizationUuid, { atMs }] of this.#served) {
      const count = counts.get(organizationUuid) ?? 0;
      const served = this.#servedLately(organizationUuid, nowMs);
      if (count === 0 && served < 0.01) this.#served.delete(organizationUuid);
      // Organizations that were served about equally do not yield to each other.
      const yields = served > 2 * leastServed && nowMs - atMs < PATIENCE_MS;
      const share = yields ? Math.floor(this.#limit / YIELDING_SHARE_DIVISOR) : this.atMost;
      const isPausing = this.#limit < 1 && served > MANY_RECENT_STARTS && nowMs - atMs < PAUSE_MS / this.#limit;
      byOrganization.set(organizationUuid, isPausing ? 0 : Math.max(0, share - count));
    }
    return { byOrganization, forOthers: this.atMost };
  }

  #servedLately(organizationUuid: string, nowMs: number): number {
    const served = this.#served.get(organizationUuid);
    return served ? served.amount * Math.exp((served.atMs - nowMs) / SERVED_WITHIN_MS) : 0;
  }
}
