/** A third party that is down delays an investigation by about this long. Then its questions stay open. */
const PATIENCE_SECONDS = 60;

/** Remembers since when each third party has not answered. One instance serves all calls of an attempt. */
export class OutageLimit {
  readonly #downSinceMs = new Map<string, number>();

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
    return downSinceMs === undefined ? PATIENCE_SECONDS : Math.max(0, PATIENCE_SECONDS - (Date.now() - downSinceMs) / 1000);
  }
}
