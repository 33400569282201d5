import { setTimeout as sleep } from 'node:timers/promises';
import { and, desc, eq, gte, type SQL, sql } from 'drizzle-orm';
import postgres from 'postgres';
import type { SourceItem } from '../../domain/alert/intake-source.js';
import type { Db, PgClient, Queries } from '../client.js';
import type { SealedSecret } from '../connections/connections.js';
import { streamEvents } from '../schema/index.js';

const EVENTS_A_PAGE = 500;

/** Reads the events of a stream in pages, newest first. */
export async function* readStreamEvents(
  db: Db,
  connectionUuid: string,
  question: { since: string | null },
  { pageSize = EVENTS_A_PAGE } = {},
): AsyncGenerator<readonly unknown[]> {
  const since = question.since === null ? undefined : gte(streamEvents.at, Math.floor(Date.parse(question.since) / 1000));
  const place = { at: sql<string>`${streamEvents.at}::text`, eventKey: streamEvents.eventKey };
  for (let older: SQL | undefined; ; ) {
    const rows = await db
      .select({ event: streamEvents.event, ...place })
      .from(streamEvents)
      .where(and(eq(streamEvents.connectionUuid, connectionUuid), since, older))
      .orderBy(desc(streamEvents.at), desc(streamEvents.eventKey))
      .limit(pageSize);
    if (rows.length > 0) yield rows.map((row) => row.event);
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    older = sql`(${streamEvents.at}, ${streamEvents.eventKey}) < (${last.at}::timestamptz, ${last.eventKey})`;
  }
}

/** A connection with an event stream. Its credentials are sealed. */
export interface SealedStream {
  readonly connectionUuid: string;
  /** The connector's kind. */
  readonly connector: string;
  readonly organizationUuid: string;
  readonly organizationCode: string;
  readonly secret: SealedSecret;
}

export async function listStreams(pg: PgClient, kinds: readonly string[], field: string): Promise<SealedStream[]> {
  return pg<SealedStream[]>`
    select connection_uuid as "connectionUuid", connector_kind as connector, organization_uuid as "organizationUuid",
      organization_code as "organizationCode", json_build_object('field', field,
      'masterKeyId', master_key_id, 'wrappedKey', wrapped_key, 'ciphertext', ciphertext) as secret
    from connection_secrets join connections using (connection_uuid) join organizations using (organization_uuid)
    where connector_kind = any(${[...kinds]}::text[]) and field = ${field}`;
}

export interface NewStreamEvent {
  readonly connectionUuid: string;
  readonly eventKey: string;
  /** Epoch seconds. */
  readonly at: number;
  readonly event: unknown;
  readonly raw: string;
  /** The item for the intake; null: the event is not worth an alert. */
  readonly item: SourceItem | null;
}

/** False: the event is stored already. */
export async function insertStreamEvent(pg: Queries, { connectionUuid, eventKey, at }: NewStreamEvent, json: string): Promise<boolean> {
  const added = await pg`
    insert into stream_events (connection_uuid, event_key, at, event)
    values (${connectionUuid}, ${eventKey}, to_timestamp(${at}::float8), ${json}::text::jsonb)
    on conflict do nothing returning event_key`;
  return added.length > 0;
}

const CHECK_LIMIT_MS = 10_000;

export interface Locks {
  /** False: this process or another one holds the lock. */
  take(name: string): Promise<boolean>;
  release(name: string): Promise<void>;
  /** Throws if the database connection that holds the locks is lost. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Locks by name. A process holds its locks as long as its one database connection is open. */
export function openLocks(url: string, onLost: () => void): Locks {
  const held = new Set<string>();
  const lose = () => {
    if (held.size === 0) return;
    held.clear();
    onLost();
  };
  const pg = postgres(url, {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 5,
    fetch_types: false,
    onnotice: () => {},
    onclose: lose,
    connection: { application_name: 'alert-investigator locks', statement_timeout: 10_000 },
  });
  return {
    async take(name) {
      if (held.has(name)) return false;
      const [row] = await pg<{ taken: boolean }[]>`select pg_try_advisory_lock(hashtextextended(${name}, 0)) as taken`;
      if (row?.taken) held.add(name);
      return row?.taken ?? false;
    },
    async release(name) {
      if (held.delete(name)) await pg`select pg_advisory_unlock(hashtextextended(${name}, 0))`;
    },
    async check() {
      const limit = new AbortController();
      const silence = sleep(CHECK_LIMIT_MS, undefined, { signal: limit.signal }).then(() => {
        throw new Error(
          `The database did not answer within ${CHECK_LIMIT_MS / 1000} s on the connection that holds locks. Check the network to Postgres.`,
        );
      });
      await Promise.race([pg`select 1`, silence]).finally(() => limit.abort());
    },
    close: () => pg.end({ timeout: 0 }),
  };
}
