import { setMaxListeners } from 'node:events';

/** Runs work with a signal that aborts with the caller's signal or at the time limit. */
export async function withTimeLimit<Result>(
  limitMs: number,
  callers: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController();
  const end = () => limit.abort();
  const timer = setTimeout(end, limitMs);
  // Many calls share the caller's signal, and each removes its listener.
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
