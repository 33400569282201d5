interface Interval {
  readonly beginMs: number;
  readonly endMs: number;
}

/** Less time is not worth a call. */
const MIN_SECONDS = 1;
/** An agent that was silent for the whole wait still gets this time for each later step. */
const MIN_AGENT_SECONDS = 60;

/**
 * Bounds what an attempt spends on each third party: the time of all calls together, and the time for which it is down.
 * Waits for a rate limit, a reconnect or a remote agent have limits of their own. One instance serves all calls of an attempt.
 */
export class EffortLimit {
  readonly #seconds: number;
  readonly #downSinceMs = new Map<string, number>();
  readonly #callsMs = new Map<string, readonly Interval[]>();
  readonly #agentSilentSinceMs = new Map<string, number>();

  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  /** `spentMs`: how long the call took at the third party. */
  noteAnswer(connectionId: string, spentMs: number): void {
    this.#downSinceMs.delete(connectionId);
    this.#agentSilentSinceMs.delete(connectionId);
    this.noteCall(connectionId, spentMs);
  }

  /** A call has ended now. Calls at the same time count once. */
  noteCall(connectionId: string, spentMs: number): void {
    const endMs = Date.now();
    const call = { beginMs: endMs - spentMs, endMs };
    const known = this.#callsMs.get(connectionId) ?? [];
    const touches = ({ beginMs, endMs }: Interval) => beginMs <= call.endMs && endMs >= call.beginMs;
    const beginMs = Math.min(call.beginMs, ...known.filter(touches).map((other) => other.beginMs));
    this.#callsMs.set(connectionId, [...known.filter((other) => !touches(other)), { beginMs, endMs }]);
  }

  /** `askedMs`: when the question was asked first. */
  noteDown(connectionId: string, askedMs: number): void {
    if (!this.#downSinceMs.has(connectionId)) this.#downSinceMs.set(connectionId, askedMs);
  }

  /** The time that calls to this third party may still take. */
  remainingEffortSeconds(connectionId: string): number {
    const spentMs = (this.#callsMs.get(connectionId) ?? []).reduce((sum, { beginMs, endMs }) => sum + endMs - beginMs, 0);
    return Math.max(0, this.#seconds - spentMs / 1000);
  }

  isSpent(connectionId: string): boolean {
    return this.remainingEffortSeconds(connectionId) < MIN_SECONDS;
  }

  /** The time for which an investigation still waits for this third party to answer. */
  remainingSeconds(connectionId: string): number {
    const downSinceMs = this.#downSinceMs.get(connectionId);
    const patience = downSinceMs === undefined ? this.#seconds : Math.max(0, this.#seconds - (Date.now() - downSinceMs) / 1000);
    return Math.min(patience, this.remainingEffortSeconds(connectionId));
  }

  /** The time for which a step waits for its remote agent. All steps since its last answer share one wait. */
  remainingAgentSeconds(connectionId: string, waitSeconds: number): number {
    const silentSinceMs = this.#agentSilentSinceMs.get(connectionId) ?? Date.now();
    this.#agentSilentSinceMs.set(connectionId, silentSinceMs);
    return Math.min(waitSeconds, Math.max(MIN_AGENT_SECONDS, waitSeconds - (Date.now() - silentSinceMs) / 1000));
  }
}

/** The third party is not called any more. */
export class EffortSpent extends Error {
  override readonly name = 'EffortSpent';
}
