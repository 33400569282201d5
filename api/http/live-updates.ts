import type { ServerResponse } from 'node:http';
import { CHANGES_CHANNEL, ChangeAnnouncer, type Topic } from '../../db/changes.js';
import type { Sql } from '../../db/client.js';

const HEARTBEAT_MS = 15_000;
/** Then the browser comes back by itself, with a key that is looked at again. */
const LIVES_FOR_MS = 10 * 60_000;
const WATCHERS_AT_MOST = 1_000;

/** Tells open pages that something changed (server-sent events). */
export class LiveUpdates {
  readonly #sql: Sql;
  readonly #announcer: ChangeAnnouncer;
  readonly #watchers = new Set<ServerResponse>();
  #heartbeat: NodeJS.Timeout | null = null;
  #unlisten: (() => Promise<void>) | null = null;

  constructor(sql: Sql) {
    this.#sql = sql;
    this.#announcer = new ChangeAnnouncer(sql);
  }

  async start(): Promise<void> {
    const tell = (topics: string) => this.#write(`event: changed\ndata: ${topics}\n\n`);
    ({ unlisten: this.#unlisten } = await this.#sql.listen(CHANGES_CHANNEL, tell));
    this.#heartbeat = setInterval(() => this.#write(': still here\n\n'), HEARTBEAT_MS).unref();
  }

  mark(...topics: readonly Topic[]): void {
    this.#announcer.mark(...topics);
  }

  get isFull(): boolean {
    return this.#watchers.size >= WATCHERS_AT_MOST;
  }

  /** Takes over the response until the browser leaves. */
  add(response: ServerResponse): void {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-accel-buffering': 'no',
    });
    response.write('retry: 2000\n\n');
    this.#watchers.add(response);
    const end = setTimeout(() => response.end(), LIVES_FOR_MS).unref();
    response.on('close', () => {
      clearTimeout(end);
      this.#watchers.delete(response);
    });
  }

  async stop(): Promise<void> {
    if (this.#heartbeat !== null) clearInterval(this.#heartbeat);
    this.#announcer.stop();
    for (const watcher of this.#watchers) watcher.end();
    await this.#unlisten?.().catch(() => {});
  }

  /** A browser that does not read is let go, so that nothing piles up for it. */
  #write(text: string): void {
    for (const watcher of this.#watchers) if (!watcher.write(text)) watcher.destroy();
  }
}
