import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from './backoff.js';
import type { Logger } from './log.js';

const POLL_MS = 1_000;
const BACKOFF = { baseMs: 1_000, maxMs: 15_000 };

/** Repeats a pass until it is stopped: at once where the pass may have left work, otherwise after a second. */
export class PollingLoop {
  readonly #work: { readonly name: string; readonly pass: () => Promise<boolean>; readonly log: Logger };
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  /** `name`: for the log. `pass`: true where it may have left work. */
  constructor(work: { name: string; pass: () => Promise<boolean>; log: Logger }) {
    this.#work = work;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    let failures = 0;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const isFull = await this.#work.pass();
        failures = 0;
        if (isFull) continue;
      } catch (error) {
        failures += 1;
        this.#work.log.warn({ err: error }, `${this.#work.name} failed, trying again`);
      }
      await delay(failures > 0 ? backoffMs(failures, BACKOFF) : POLL_MS, undefined, { signal }).catch(() => {});
    }
  }
}
