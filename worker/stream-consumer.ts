import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Egress } from '../activities/connectors/kit/egress.js';
import { StreamCredentials } from '../activities/connectors/malware-protection/contract.js';
import { consumeStream } from '../activities/connectors/malware-protection/stream.js';
import type { Db, PgClient } from '../db/client.js';
import { nowSeconds } from '../db/columns.js';
import { ensureProvider } from '../db/sources/sources.js';
import { listStreams, openLocks, type SealedStream, storeStreamEvent } from '../db/sources/stream-events.js';
import { readStreamEvent, STREAM_SOURCE } from '../domain/connection/source.js';
import { clip } from '../domain/text.js';
import type { Keyring } from '../platform/keyring.js';
import type { Logger } from '../platform/log.js';

export interface StreamDeps {
  readonly db: Db;
  readonly pg: PgClient;
  /** Locks are held on a connection of their own. */
  readonly databaseUrl: string;
  readonly keyring: Keyring;
  readonly egress: Egress;
  readonly log: Logger;
  readonly lookEverySeconds?: number;
}

export interface StreamConsumers {
  /** Ends with every event kept that was taken; another worker goes on. */
  stop(): Promise<void>;
}

interface Consumer {
  /** Of its credentials: others, and it starts anew. */
  readonly ciphertext: string;
  readonly stopping: AbortController;
  readonly done: Promise<void>;
}

const LOOK_EVERY_SECONDS = 5;

/** Consumes the event streams that no other worker consumes, and looks again and again which there are. */
export function startStreamConsumers(deps: StreamDeps): StreamConsumers {
  const { pg, log, lookEverySeconds = LOOK_EVERY_SECONDS } = deps;
  const stopping = new AbortController();
  const consumers = new Map<string, Consumer>();
  const leaveAll = () => {
    for (const consumer of consumers.values()) consumer.stopping.abort();
  };
  const openOwnLocks = () =>
    openLocks(deps.databaseUrl, () => {
      log.warn('the locks on event streams were lost with their connection: leaving the streams');
      leaveAll();
    });
  let locks = openOwnLocks();

  const look = async () => {
    const streams = new Map((await listStreams(pg, STREAM_SOURCE)).map((stream) => [stream.connectionUuid, stream]));
    for (const [connectionUuid, consumer] of consumers) {
      if (streams.get(connectionUuid)?.secret.ciphertext !== consumer.ciphertext) consumer.stopping.abort();
      if (consumer.stopping.signal.aborted) await consumer.done;
    }
    if (consumers.size > 0) await locks.check();
    for (const stream of streams.values()) {
      if (!consumers.has(stream.connectionUuid)) await consume(stream).catch((error: unknown) => complain(error, stream.connectionUuid));
    }
  };

  const complain = (error: unknown, connectionUuid?: string) =>
    log.warn({ err: error, connection_id: connectionUuid }, 'an event stream cannot be consumed now');

  const consume = async (stream: SealedStream) => {
    const { connectionUuid, secret } = stream;
    const credentials = openStream(stream, deps.keyring);
    const name = `event stream ${credentials.host}:${credentials.port}/${credentials.queue_name}`;
    const provider = await ensureProvider(deps.db, STREAM_SOURCE);
    const { take, release } = locks;
    if (!(await take(name))) return;
    const leaving = new AbortController();
    const done = consumeStream({
      egress: deps.egress,
      stream: credentials,
      signal: leaving.signal,
      log: (level, message, facts) => log[level]({ ...facts, connection_id: connectionUuid }, message),
      async onEvent(event, raw) {
        const { id, at, itemOf } = readStreamEvent(event);
        const eventKey = id === null ? `sha256 ${createHash('sha256').update(raw).digest('hex')}` : clip(id, 200);
        await storeStreamEvent(pg, provider, { connectionUuid, eventKey, at: at ?? nowSeconds(), event, raw, item: itemOf(eventKey) });
      },
    })
      .then(() => release(name))
      .catch((error: unknown) => complain(error, connectionUuid))
      .finally(() => consumers.delete(connectionUuid));
    consumers.set(connectionUuid, { ciphertext: secret.ciphertext, stopping: leaving, done });
  };

  const run = async () => {
    while (!stopping.signal.aborted) {
      await look().catch((error: unknown) => {
        complain(error);
        // Whether the locks still hold cannot be told: whoever can reach the database may have them.
        leaveAll();
        void locks.close();
        locks = openOwnLocks();
      });
      await sleep(lookEverySeconds * 1000, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
      leaveAll();
      await Promise.all([...consumers.values()].map(({ done }) => done));
      await locks.close();
    },
  };
}

function openStream({ organizationUuid, connectionUuid, secret: { field, ...sealed } }: SealedStream, keyring: Keyring): StreamCredentials {
  return StreamCredentials.parse(JSON.parse(keyring.open(sealed, { organizationUuid, connectionUuid, field })));
}
