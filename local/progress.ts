import type { Logger } from '../platform/log.js';

const REPORT_EVERY_MS = 10_000;

/** Logs the start and the end of a long step, and the elapsed time every ten seconds. */
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
