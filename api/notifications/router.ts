import { ChangeAnnouncer, ofUser } from '../../db/changes.js';
import type { Database } from '../../db/client.js';
import { listOverdueChannels } from '../../db/notifications/routing.js';
import type { Logger } from '../../platform/log.js';
import { PollingLoop } from '../../platform/polling-loop.js';
import { readClock } from '../../services/context.js';
import { routeEvents } from '../../services/notifications/route-events.js';
import type { WorkflowRunner } from '../../services/workflow-runner.js';

const BATCH = 500;
/** A run that works on its deliveries keeps none of them due for so long. */
const OVERDUE_SECONDS = 10;

/** Adds the deliveries and inbox entries of new events, and wakes the workflows of their channels. Several processes may run a router. */
export class NotificationRouter {
  readonly #deps: { readonly database: Database; readonly runner: WorkflowRunner; readonly log: Logger };
  readonly #announcer: ChangeAnnouncer;
  readonly #loop: PollingLoop;
  #nextSweepMs = 0;

  constructor(deps: { database: Database; runner: WorkflowRunner; log: Logger }) {
    this.#deps = deps;
    this.#announcer = new ChangeAnnouncer(deps.database.pg);
    this.#loop = new PollingLoop({ name: 'routing notifications', pass: () => this.#pass(), log: deps.log });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    this.#announcer.stop();
  }

  async #pass(): Promise<boolean> {
    const { database, runner } = this.#deps;
    const { routed, users } = await routeEvents({ by: null, db: database.db, runner, now: readClock }, BATCH);
    if (users.length > 0) this.#announcer.mark(['inbox'], users.map(ofUser));
    if (Date.now() >= this.#nextSweepMs) {
      await runner.wakeChannels(await listOverdueChannels(database.pg, OVERDUE_SECONDS));
      this.#nextSweepMs = Date.now() + OVERDUE_SECONDS * 1000;
    }
    return routed === BATCH;
  }
}
