/** Exponential backoff: the delay before the next attempt doubles with each failure, up to a limit. */
export function backoffMs(failures: number, { baseMs, maxMs }: { baseMs: number; maxMs: number }): number {
  return Math.min(maxMs, baseMs * 2 ** failures);
}
