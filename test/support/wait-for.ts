import { setTimeout as delay } from 'node:timers/promises';
import { afterEveryFile, afterEveryTest } from './cleanups.js';

let testEnd = new AbortController();
function endTest(): void {
  testEnd.abort();
  testEnd = new AbortController();
}
afterEveryTest.push(endTest);
afterEveryFile.push(endTest);

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
const WARN_EVERY_MS = 20_000;

/**
 * Polls until the condition holds. It fails when the test ends, so that the rest of the test does not run beside the next one. A long
 * wait polls less often: a look takes milliseconds of the time that the awaited work needs.
 */
export async function waitFor<Result>(what: string, look: () => Promise<Result | null | undefined | false>): Promise<Result> {
  const { signal } = testEnd;
  const startedAt = performance.now();
  for (let warnings = 0; ; ) {
    const seen = await look();
    if (signal.aborted) throw new Error(`The test ended while it waited for ${what}.`);
    if (seen) return seen;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > (warnings + 1) * WARN_EVERY_MS) {
      warnings += 1;
      console.warn(`still waiting for ${what}`);
    }
    await delay(Math.min(FIRST_PAUSE_MS + waitedMs / 10, LONGEST_PAUSE_MS));
  }
}
