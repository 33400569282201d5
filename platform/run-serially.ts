import { setImmediate as nextTurn } from 'node:timers/promises';

/** A body or a text that is larger takes several milliseconds. */
export const LARGE_BYTES = 64 * 1024;

let last: Promise<unknown> = Promise.resolve();

/** Runs long synchronous work one piece at a time, with other requests in between. */
export function runSerially<Result>(work: () => Result): Promise<Result> {
  const done = last.then(() => nextTurn()).then(work);
  last = done.catch(() => undefined);
  return done;
}
