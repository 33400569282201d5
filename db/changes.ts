import type { PgClient } from './client.js';

/** Only topics are announced: each page reads the data again with the rights of its own key. */
export type Topic = 'alerts' | 'cases' | 'proposals' | 'connections' | 'playbooks' | 'settings';

export const CHANGES_CHANNEL = 'changes';
/** Notifications serialise commits, so a burst of changes becomes one notification. */
const ANNOUNCE_EVERY_MS = 500;

/** Collects the changed topics of this process and notifies every API process. */
export class ChangeAnnouncer {
  readonly #pg: PgClient;
  readonly #topics = new Set<Topic>();
  #timer: NodeJS.Timeout | null = null;

  constructor(pg: PgClient) {
    this.#pg = pg;
  }

  mark(...topics: readonly Topic[]): void {
    for (const topic of topics) this.#topics.add(topic);
    this.#timer ??= setTimeout(() => this.#announce(), ANNOUNCE_EVERY_MS).unref();
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #announce(): void {
    this.#timer = null;
    const payload = [...this.#topics].join(' ');
    this.#topics.clear();
    // A lost notification only delays a page, which also polls.
    this.#pg.notify(CHANGES_CHANNEL, payload).catch(() => {});
  }
}
