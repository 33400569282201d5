import { setTimeout as delay } from 'node:timers/promises';
import { afterEveryFile, afterEveryTest } from './cleanups.js';

let testEnd = new AbortController();
function endTest(): void {
  testEnd.abort();
  testEnd = new AbortController();
}
afterEveryTest.push(endTest);
afterEveryFile.push(endTest);

/** Polls until the condition holds. It fails when the test ends, so that the rest of the test does not run beside the next one. */
export async function waitFor<Result>(what: string, look: () => Promise<Result | null | undefined | false>): Promise<Result> {
  const { signal } = testEnd;
  for (let looks = 0; ; looks += 1) {
    const seen = await look();
    if (signal.aborted) throw new Error(`The test ended while it waited for ${what}.`);
    if (seen) return seen;
    if (looks > 0 && looks % 400 === 0) console.warn(`still waiting for ${what}`);
    await delay(50);
  }
}
