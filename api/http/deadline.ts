import { Problem } from './problems.js';

const DATABASE_TIMEOUT_MS = 15_000;

/** Limits the wait for a database that hangs without closing its connection. */
export async function withinTime<Result>(
  work: Promise<Result>,
  detail = 'The database did not answer in time. Try again shortly.',
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Problem(503, detail, { retryAfterSeconds: 5 })), DATABASE_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
