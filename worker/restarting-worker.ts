import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from '@temporalio/worker';
import { backoffMs } from '../platform/backoff.js';
import type { Logger } from '../platform/log.js';

const RESTART_BACKOFF = { baseMs: 500, maxMs: 30_000 };
/** A worker that ran this long is not in a loop of failing starts. */
const RAN_WELL_MS = 5_000;

/** Creates a new Temporal worker when the current one fails. */
export class RestartingWorker {
  readonly #create: () => Promise<Worker>;
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #worker: Worker;

  static async start(create: () => Promise<Worker>, log: Logger): Promise<RestartingWorker> {
    return new RestartingWorker(create, await create(), log);
  }

  private constructor(create: () => Promise<Worker>, first: Worker, log: Logger) {
    this.#create = create;
    this.#worker = first;
    this.#log = log;
    this.#running = this.#run();
  }

  isRunning(): boolean {
    return this.#worker.getState() === 'RUNNING';
  }

  /** Waits for running activities, up to the shutdown grace time. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.isRunning()) this.#worker.shutdown();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0, isFirst = true; !signal.aborted; failures += 1) {
      let startedMs = Date.now();
      try {
        // A new worker can fail to start too, for example while Temporal is away.
        if (!isFirst) this.#worker = await this.#create();
        isFirst = false;
        if (signal.aborted) return;
        startedMs = Date.now();
        await this.#worker.run();
        return;
      } catch (error) {
        this.#log.error({ err: error }, 'the Temporal worker failed; restarting it');
        if (Date.now() - startedMs > RAN_WELL_MS) failures = 0;
        await delay(backoffMs(failures, RESTART_BACKOFF), undefined, { signal }).catch(() => {});
      }
    }
  }
}
