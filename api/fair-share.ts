const MOST = 64;
/** Until something is known about the workers. */
const FIRST = 4;
/** What is noticed, looked up and stored is never quite as quick as the best of its kind. */
const TOLERATED_MS = 100;
/** The best begins to be forgotten: workers come and go. */
const FORGOTTEN_A_SECOND = 1.01;

/**
 * How many investigations of one organization may be under way while another sends alerts, too. It follows how soon those
 * that were handed over begin: as long as that is soon, workers have room and more are let in; where it takes longer than it
 * has to, the workers are busy and another organization's alerts would find them so. How long third parties take does not count.
 */
export class FairShare {
  #limit = FIRST;
  #bestMs = Number.POSITIVE_INFINITY;
  #seenAtMs = 0;
  #loweredAtMs = 0;

  get atMost(): number {
    return Math.floor(this.#limit);
  }

  /** One has begun after this time, or still has not. */
  observe(waitedMs: number, hasBegun: boolean, nowMs: number): void {
    this.#bestMs *= FORGOTTEN_A_SECOND ** Math.min(600, (nowMs - this.#seenAtMs) / 1000);
    this.#seenAtMs = nowMs;
    if (hasBegun) this.#bestMs = Math.min(this.#bestMs, waitedMs);
    const isLate = waitedMs > 2 * this.#bestMs + TOLERATED_MS;
    if (!isLate && hasBegun) this.#limit = Math.min(MOST, this.#limit + 0.5 / this.#limit);
    // Several that are late together are one reason to let fewer in.
    if (isLate && nowMs - this.#loweredAtMs > waitedMs / 2) {
      this.#limit = Math.max(1, this.#limit * 0.7);
      this.#loweredAtMs = nowMs;
    }
  }
}
