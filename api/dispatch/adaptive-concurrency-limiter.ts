import type { DispatchAllowance } from '../../db/alerts/outbox.js';

const MOST = 128;
/** Less than one: one at a time, with a pause before the next. */
const LEAST = 0.35;
const PAUSE_MS = 100;
/** Until something is known about the workers. */
const FIRST = 4;
/** What is noticed, looked up and stored is never quite as quick as the best of its kind. */
const TOLERATED_MS = 10;
/** The best begins to be forgotten: workers come and go. */
const FORGOTTEN_A_SECOND = 1.01;
/** An investigation works most at its beginning: so long, organizations that were served more make way for it. */
const FRESH_MS = 200;
/** While they make way, they get this part of their share, ... */
const PART_BESIDE = 4;
/** ... and one investigation after this time at the latest. */
const PATIENCE_MS = 1_000;
/** What was handed over longer ago than a few times this does not count as having been served. */
const SERVED_WITHIN_MS = 2_000;
const SERVED_A_LOT = 2;

interface Served {
  /** What was handed over lately; what is longer ago counts less. */
  readonly amount: number;
  readonly atMs: number;
}

/**
 * How many investigations of one organization may be under way while another sends alerts, too. It follows how soon those
 * that were handed over begin: as long as that is soon, workers have room and more are let in; where it takes longer than it
 * has to, the workers are busy and another organization's alerts would find them so. How long third parties take does not count.
 */
export class AdaptiveConcurrencyLimiter {
  readonly #served = new Map<string, Served>();
  #limit = FIRST;
  #bestMs = Number.POSITIVE_INFINITY;
  #seenAtMs = 0;
  #loweredAtMs = 0;

  get atMost(): number {
    return Math.max(1, Math.floor(this.#limit));
  }

  /** One has begun after this time, or still has not. */
  observe(waitedMs: number, hasBegun: boolean, nowMs: number): void {
    this.#bestMs *= FORGOTTEN_A_SECOND ** Math.min(600, (nowMs - this.#seenAtMs) / 1000);
    this.#seenAtMs = nowMs;
    if (hasBegun) this.#bestMs = Math.min(this.#bestMs, waitedMs);
    const isLate = waitedMs > 1.25 * this.#bestMs + TOLERATED_MS;
    if (!isLate && hasBegun) this.#limit = Math.min(MOST, this.#limit + 0.5 / this.#limit);
    // Several that are late together are one reason to let fewer in.
    if (isLate && nowMs - this.#loweredAtMs > waitedMs / 2) {
      this.#limit = Math.max(LEAST, this.#limit * 0.7);
      this.#loweredAtMs = nowMs;
    }
  }

  serve(organizationUuid: string, nowMs: number): void {
    this.#served.set(organizationUuid, { amount: this.#servedLately(organizationUuid, nowMs) + 1, atMs: nowMs });
  }

  /** What each organization may have handed over now, beside what it has under way. */
  allowance(underWay: Iterable<{ readonly organizationUuid: string; readonly sinceMs: number }>, nowMs: number): DispatchAllowance {
    const counts = new Map<string, number>();
    let leastServed = Number.POSITIVE_INFINITY;
    for (const { organizationUuid, sinceMs } of underWay) {
      counts.set(organizationUuid, (counts.get(organizationUuid) ?? 0) + 1);
      if (nowMs - sinceMs < FRESH_MS) leastServed = Math.min(leastServed, this.#servedLately(organizationUuid, nowMs));
    }
    const of = new Map<string, number>();
    for (const [organizationUuid, { atMs }] of this.#served) {
      const count = counts.get(organizationUuid) ?? 0;
      const served = this.#servedLately(organizationUuid, nowMs);
      if (count === 0 && served < 0.01) this.#served.delete(organizationUuid);
      // Those who were served about as much do not make way for each other.
      const makesWay = served > 2 * leastServed && nowMs - atMs < PATIENCE_MS;
      const share = makesWay ? Math.floor(this.#limit / PART_BESIDE) : this.atMost;
      const isPausing = this.#limit < 1 && served > SERVED_A_LOT && nowMs - atMs < PAUSE_MS / this.#limit;
      of.set(organizationUuid, isPausing ? 0 : Math.max(0, share - count));
    }
    return { byOrganization: of, forOthers: this.atMost };
  }

  #servedLately(organizationUuid: string, nowMs: number): number {
    const served = this.#served.get(organizationUuid);
    return served ? served.amount * Math.exp((served.atMs - nowMs) / SERVED_WITHIN_MS) : 0;
  }
}
