import { SkillTimedOut } from '../../domain/connection/skill-errors.js';
import { withTimeLimit } from './time-limit.js';

/** Node fires a longer timer at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The time that one call of a skill may spend at the third party. A wait for the request limit does not count. */
export class Effort {
  readonly #limitMs: number;
  #spentMs = 0;

  constructor(limitMs: number = Number.POSITIVE_INFINITY) {
    this.#limitMs = limitMs;
  }

  get spentMs(): number {
    return Math.round(this.#spentMs);
  }

  /** Runs one request. Throws SkillTimedOut when the time of the whole call is over. */
  async spend<Result>(callers: AbortSignal, request: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const leftMs = this.#limitMs - this.#spentMs;
    if (leftMs <= 0) throw this.#timeOut();
    const beganMs = performance.now();
    let isOver = false;
    try {
      return await withTimeLimit(Math.min(leftMs, MAX_TIMER_MS), callers, (signal) => {
        signal.addEventListener('abort', () => {
          isOver = !callers.aborted;
        });
        return request(signal);
      });
    } catch (error) {
      throw isOver ? this.#timeOut() : error;
    } finally {
      // A timer can fire a moment early.
      this.#spentMs = isOver ? this.#limitMs : this.#spentMs + performance.now() - beganMs;
    }
  }

  #timeOut(): SkillTimedOut {
    return new SkillTimedOut(`The third party used up the ${Math.round(this.#limitMs / 1000)} seconds that the investigation has for it.`);
  }
}
