import type { ServerResponse } from 'node:http';
import { CHANGES_CHANNEL, ChangeAnnouncer, type Topic } from '../../db/changes.js';
import type { PgClient } from '../../db/client.js';

const HEARTBEAT_MS = 15_000;
/** The browser reconnects after this time, and the API checks its key again. */
const CONNECTION_LIFETIME_MS = 10 * 60_000;
const MAX_WATCHERS = 1_000;

/** Sends changed topics to open pages as server-sent events. */
export class LiveUpdates {
  readonly #pg: PgClient;
  readonly #announcer: ChangeAnnouncer;
  readonly #watchers = new Set<ServerResponse>();
  #heartbeat: NodeJS.Timeout | null = null;
  #unlisten: (() => Promise<void>) | null = null;

  constructor(pg: PgClient) {
    this.#pg = pg;
    this.#announcer = new ChangeAnnouncer(pg);
  }

  async start(): Promise<void> {
    const send = (topics: string) => this.#write(`event: changed\ndata: ${topics}\n\n`);
    ({ unlisten: this.#unlisten } = await this.#pg.listen(CHANGES_CHANNEL, send));
    this.#heartbeat = setInterval(() => this.#write(': heartbeat\n\n'), HEARTBEAT_MS).unref();
  }

  mark(...topics: readonly Topic[]): void {
    this.#announcer.mark(...topics);
  }

  get isFull(): boolean {
    return this.#watchers.size >= MAX_WATCHERS;
  }

  /** Keeps the response open until the browser disconnects. */
  add(response: ServerResponse): void {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-accel-buffering': 'no',
    });
    response.write('retry: 2000\n\n');
    this.#watchers.add(response);
    const end = setTimeout(() => response.end(), CONNECTION_LIFETIME_MS).unref();
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

  /** Disconnects a browser that does not read, so that no data accumulates for it. */
  #write(text: string): void {
    for (const watcher of this.#watchers) if (!watcher.write(text)) watcher.destroy();
  }
}
