import { setMaxListeners } from 'node:events';

/** Work whose signal ends with the caller's, or when its time is up. */
export async function withTimeLimit<Result>(
  limitMs: number,
  callers: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController();
  const end = () => limit.abort();
  const timer = setTimeout(end, limitMs);
  // Any number of calls share a caller's signal, and each takes its listener back.
  setMaxListeners(0, callers);
  callers.addEventListener('abort', end, { once: true });
  if (callers.aborted) end();
  try {
    return await work(limit.signal);
  } finally {
    clearTimeout(timer);
    callers.removeEventListener('abort', end);
  }
}
