import type { ServerResponse } from 'node:http';
import { type AnnouncedChange, CHANGES_CHANNEL, ChangeAnnouncer, readChange, type Topic } from '../../db/changes.js';
import type { Database } from '../../db/client.js';
import { listUsableKeys } from '../../db/identity/api-keys.js';
import { listOpenSessions, type SessionLimits } from '../../db/identity/user-sessions.js';
import type { Principal } from '../../domain/identity/identity.js';
import { Problem } from './problems.js';

const HEARTBEAT_MS = 15_000;
/** The browser reconnects after this time, and the API checks its key again. */
const CONNECTION_LIFETIME_MS = 10 * 60_000;
const MAX_WATCHERS = { total: 1_000, organization: 200, key: 20 };

/** Sends changed topics to open pages as server-sent events. A page learns only about its own organization. */
export class LiveUpdates {
  readonly #database: Database;
  readonly #sessionLimits: SessionLimits;
  readonly #announcer: ChangeAnnouncer;
  readonly #watchers = new Map<ServerResponse, Principal>();
  #heartbeat: NodeJS.Timeout | null = null;
  #unlisten: (() => Promise<void>) | null = null;

  constructor(database: Database, sessionLimits: SessionLimits) {
    this.#database = database;
    this.#sessionLimits = sessionLimits;
    this.#announcer = new ChangeAnnouncer(database.pg);
  }

  async start(): Promise<void> {
    const send = (payload: string) => {
      const change = readChange(payload);
      this.#write(`event: changed\ndata: ${change.topics}\n\n`, (principal) => maySee(principal, change));
    };
    ({ unlisten: this.#unlisten } = await this.#database.pg.listen(CHANGES_CHANNEL, send));
    this.#heartbeat = setInterval(() => {
      this.#write(': heartbeat\n\n', () => true);
      void this.closeUnusable();
    }, HEARTBEAT_MS).unref();
  }

  mark(topics: readonly Topic[], records: readonly string[]): void {
    this.#announcer.mark(topics, records);
  }

  /** One key or one organization must not use up the connections of all others. */
  requireRoom(by: Principal): void {
    const watching = [...this.#watchers.values()];
    const ofKey = watching.filter(({ uuid }) => uuid === by.uuid).length;
    const ofOrganization = watching.filter(({ organizationUuid }) => organizationUuid === by.organizationUuid).length;
    const retry = { retryAfterSeconds: 30 };
    if (ofKey >= MAX_WATCHERS.key)
      throw new Problem(429, `This API key has ${ofKey} open pages. Close some of them, or use a key of your own.`, retry);
    if (by.organizationUuid !== null && ofOrganization >= MAX_WATCHERS.organization)
      throw new Problem(429, `The organization has ${ofOrganization} open pages. Close some pages, or try again later.`, retry);
    if (watching.length >= MAX_WATCHERS.total)
      throw new Problem(503, 'Too many pages are open. Close some pages, or try again later.', retry);
  }

  /** Ends the streams of keys and sessions that ended, and of sessions with another organization or role. The browser connects again. */
  async closeUnusable(): Promise<void> {
    const watching = [...this.#watchers.values()];
    if (watching.length === 0) return;
    const { db } = this.#database;
    const watched = new Set(watching.map(describeRights));
    const sessions = watching.flatMap(({ sessionUuid }) => sessionUuid ?? []);
    const keys = watching.flatMap(({ uuid, sessionUuid }) => (sessionUuid === null ? [uuid] : []));
    const usable = await Promise.all([listUsableKeys(db, keys), listOpenSessions(db, sessions, this.#sessionLimits.idleSeconds)])
      // Without a database the next heartbeat checks again.
      .then(([keyUuids, open]) => new Set([...keyUuids, ...open.map(describeRights)]))
      .catch(() => watched);
    for (const [response, principal] of this.#watchers) {
      const rights = describeRights(principal);
      if (watched.has(rights) && !usable.has(rights)) response.end();
    }
  }

  /** Keeps the response open until the browser disconnects. */
  add(response: ServerResponse, by: Principal): void {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-accel-buffering': 'no',
    });
    response.write('retry: 2000\n\n');
    this.#watchers.set(response, by);
    const end = setTimeout(() => response.end(), CONNECTION_LIFETIME_MS).unref();
    response.on('close', () => {
      clearTimeout(end);
      this.#watchers.delete(response);
    });
  }

  async stop(): Promise<void> {
    if (this.#heartbeat !== null) clearInterval(this.#heartbeat);
    this.#announcer.stop();
    for (const watcher of this.#watchers.keys()) watcher.end();
    await this.#unlisten?.().catch(() => {});
  }

  /** Disconnects a browser that does not read, so that no data accumulates for it. */
  #write(text: string, isFor: (principal: Principal) => boolean): void {
    for (const [watcher, principal] of this.#watchers) if (isFor(principal) && !watcher.write(text)) watcher.destroy();
  }
}

type Rights = Pick<Principal, 'sessionUuid' | 'organizationUuid' | 'role'> & { readonly uuid?: string };

function describeRights({ uuid = '', sessionUuid, organizationUuid, role }: Rights): string {
  return sessionUuid === null ? uuid : `${sessionUuid} ${organizationUuid} ${role}`;
}

/** The time of a change alone reveals the activity of an organization or of a person. */
function maySee({ organizationUuid, userUuid }: Principal, change: AnnouncedChange): boolean {
  if (change.userUuid !== null) return change.userUuid === userUuid;
  return change.shared || organizationUuid === null || organizationUuid === change.organizationUuid;
}
