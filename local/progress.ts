import type { Logger } from '../platform/log.js';

const REPORT_EVERY_MS = 10_000;

/** One line when a long step begins, one every ten seconds, one when it ends: nobody wonders whether it hangs. */
export async function withProgress<T>(log: Logger, step: string, work: () => Promise<T>): Promise<T> {
  const began = Date.now();
  const elapsed = () => `${Math.round((Date.now() - began) / 1_000)} s`;
  log.info(`${step} …`);
  const timer = setInterval(() => log.info(`${step}: ${elapsed()} so far`), REPORT_EVERY_MS);
  try {
    const result = await work();
    log.info(`${step}: done in ${elapsed()}`);
    return result;
  } finally {
    clearInterval(timer);
  }
}
