import type { PgClient } from './client.js';

/** What a page may be showing that has changed. Names only: whoever looks asks again, with the rights of their own key. */
export type Topic = 'alerts' | 'cases' | 'proposals' | 'connections' | 'playbooks' | 'settings';

export const CHANGES_CHANNEL = 'changes';
/** Postgres hands out notifications one commit after the other: a burst of a thousand changes is one announcement. */
const ANNOUNCE_EVERY_MS = 500;

/** Gathers what changed in this process and tells every API process of it. */
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
    // A lost announcement costs a page nothing but freshness: it asks again by itself after a while.
    this.#pg.notify(CHANGES_CHANNEL, payload).catch(() => {});
  }
}
