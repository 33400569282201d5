/** Remembers since when each third party has not answered. One instance serves all calls of an attempt. */
export class OutageLimit {
  readonly #downSinceMs = new Map<string, number>();
  readonly #patienceSeconds: number;

  /** A third party that is down delays the attempt by about this long. Then its questions stay open. */
  constructor(patienceSeconds: number) {
    this.#patienceSeconds = patienceSeconds;
  }

  noteAnswer(connectionId: string): void {
    this.#downSinceMs.delete(connectionId);
  }

  /** `askedMs`: when the question was asked first. */
  noteFailure(connectionId: string, askedMs: number): void {
    if (!this.#downSinceMs.has(connectionId)) this.#downSinceMs.set(connectionId, askedMs);
  }

  /** The time for which an investigation still waits for this third party. */
  remainingSeconds(connectionId: string): number {
    const downSinceMs = this.#downSinceMs.get(connectionId);
    return downSinceMs === undefined ? this.#patienceSeconds : Math.max(0, this.#patienceSeconds - (Date.now() - downSinceMs) / 1000);
  }
}
