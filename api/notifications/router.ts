import { setTimeout as delay } from 'node:timers/promises';
import { ChangeAnnouncer, ofUser } from '../../db/changes.js';
import type { Database } from '../../db/client.js';
import { listOverdueChannels, routeEvents } from '../../db/notifications/routing.js';
import { backoffMs } from '../../platform/backoff.js';
import type { Logger } from '../../platform/log.js';
import type { WorkflowRunner } from '../workflow-runner.js';

const BATCH = 500;
const POLL_MS = 1_000;
const BACKOFF = { baseMs: 1_000, maxMs: 15_000 };
/** A run that works on its deliveries keeps none of them due for so long. */
const OVERDUE_SECONDS = 10;

/** Adds the deliveries and inbox entries of new events, and wakes the workflows of their channels. Several processes may run a router. */
export class NotificationRouter {
  readonly #deps: { readonly database: Database; readonly runner: WorkflowRunner; readonly log: Logger };
  readonly #announcer: ChangeAnnouncer;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #nextSweepMs = 0;

  constructor(deps: { database: Database; runner: WorkflowRunner; log: Logger }) {
    this.#deps = deps;
    this.#announcer = new ChangeAnnouncer(deps.database.pg);
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    this.#announcer.stop();
  }

  async #run(): Promise<void> {
    let failures = 0;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const isFull = await this.#pass();
        failures = 0;
        if (isFull) continue;
      } catch (error) {
        failures += 1;
        this.#deps.log.warn({ err: error }, 'routing notifications failed, trying again');
      }
      await delay(failures > 0 ? backoffMs(failures, BACKOFF) : POLL_MS, undefined, { signal }).catch(() => {});
    }
  }

  async #pass(): Promise<boolean> {
    const { database, runner } = this.#deps;
    const { routed, channels, users } = await routeEvents(database.db, BATCH);
    if (users.length > 0) this.#announcer.mark(['inbox'], users.map(ofUser));
    await runner.wakeChannels(channels);
    if (Date.now() >= this.#nextSweepMs) {
      await runner.wakeChannels(await listOverdueChannels(database.pg, OVERDUE_SECONDS));
      this.#nextSweepMs = Date.now() + OVERDUE_SECONDS * 1000;
    }
    return routed === BATCH;
  }
}
