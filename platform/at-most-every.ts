/** Shares one answer between all callers within this time. It counts from the answer, so that no second question begins next to a slow one. */
export function atMostEvery<Result>(ms: number, ask: () => Promise<Result>): () => Promise<Result> {
  let current: { usableUntil: number; readonly result: Promise<Result> } | null = null;
  return () => {
    if (current !== null && performance.now() < current.usableUntil) return current.result;
    const asked = { usableUntil: Number.POSITIVE_INFINITY, result: ask() };
    const settle = () => {
      asked.usableUntil = performance.now() + ms;
    };
    asked.result.then(settle, settle);
    current = asked;
    return asked.result;
  };
}
