/** Resolves with the work, or rejects when the signal aborts. For work that does not take a signal. */
export function untilAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
  reason: () => Error = () => new Error('aborted'),
): Promise<Result> {
  const aborted = new Promise<never>((_, reject) => {
    const rejectNow = () => reject(reason());
    signal.addEventListener('abort', rejectNow, { once: true });
    if (signal.aborted) rejectNow();
  });
  return Promise.race([work, aborted]);
}
