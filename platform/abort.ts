/** The work's end, or an error as soon as the signal says so: for work that does not listen to the signal itself. */
export function untilAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
  reason: () => Error = () => new Error('aborted'),
): Promise<Result> {
  const aborted = new Promise<never>((_, reject) => {
    const give = () => reject(reason());
    signal.addEventListener('abort', give, { once: true });
    if (signal.aborted) give();
  });
  return Promise.race([work, aborted]);
}
