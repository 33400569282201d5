import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { catalogue } from '../connectors/catalogue.js';
import { implementations } from '../connectors/implementations.js';
import type { Catalogue } from '../connectors/kit/define.js';
import type { Egress } from '../connectors/kit/egress.js';
import type { EventStream } from '../connectors/kit/implement.js';
import type { Db, PgClient } from '../db/client.js';
import { nowSeconds } from '../db/columns.js';
import { listStreams, openLocks, type SealedStream } from '../db/sources/stream-events.js';
import { STREAM_CREDENTIAL, type StreamIntake } from '../domain/alert/intake-source.js';
import { clip } from '../domain/text.js';
import type { Keyring } from '../platform/keyring.js';
import type { Logger } from '../platform/log.js';
import { asService } from '../services/context.js';
import { ensureProvider } from '../services/providers/ensure.js';
import { storeStreamEvent } from '../services/sources/store-stream-event.js';

export interface StreamDeps {
  readonly db: Db;
  readonly pg: PgClient;
  /** The locks need a database connection of their own. */
  readonly databaseUrl: string;
  readonly keyring: Keyring;
  readonly egress: Egress;
  readonly log: Logger;
  readonly lookEverySeconds?: number;
}

export interface StreamConsumers {
  /** Stores every received event, then leaves the streams to another worker. */
  stop(): Promise<void>;
}

interface Consumer {
  /** Of its credentials: if they change, the consumer restarts. */
  readonly ciphertext: string;
  readonly stopping: AbortController;
  readonly done: Promise<void>;
}

const LOOK_EVERY_SECONDS = 5;

interface StreamSource {
  readonly kind: string;
  readonly intake: StreamIntake;
  open(credential: unknown): EventStream;
}

/** The connectors whose intake is an event stream. */
function listStreamSources(): StreamSource[] {
  const connectors: Catalogue = catalogue;
  const openers: Readonly<Record<string, { readonly skills: unknown; openStream?(credential: unknown): EventStream }>> = implementations;
  return Object.entries(connectors).flatMap(([name, { kind, intake }]) => {
    if (intake?.mode !== 'stream') return [];
    const open = openers[name]?.openStream;
    if (!open) throw new Error(`The connector ${kind} declares a stream intake: add openStream to its implementation.`);
    return [{ kind, intake, open }];
  });
}

/** Consumes the event streams that no other worker consumes, and looks for new ones every few seconds. */
export function startStreamConsumers(deps: StreamDeps): StreamConsumers {
  const { pg, log, lookEverySeconds = LOOK_EVERY_SECONDS } = deps;
  const sources = new Map(listStreamSources().map((source) => [source.kind, source]));
  const stopping = new AbortController();
  const consumers = new Map<string, Consumer>();
  const leaveAll = () => {
    for (const consumer of consumers.values()) consumer.stopping.abort();
  };
  const openOwnLocks = () =>
    openLocks(deps.databaseUrl, () => {
      log.warn('lost the database connection that holds the event stream locks, leaving the streams');
      leaveAll();
    });
  let locks = openOwnLocks();

  const checkStreams = async () => {
    const streams = new Map(
      (await listStreams(pg, [...sources.keys()], STREAM_CREDENTIAL)).map((stream) => [stream.connectionUuid, stream]),
    );
    for (const [connectionUuid, consumer] of consumers) {
      if (streams.get(connectionUuid)?.secret.ciphertext !== consumer.ciphertext) consumer.stopping.abort();
    }
    if (consumers.size > 0) await locks.check();
    for (const stream of streams.values()) {
      // A consumer that leaves a slow broker is still there. The next look replaces it, and the other streams do not wait for it.
      if (!consumers.has(stream.connectionUuid)) await consume(stream).catch((error: unknown) => logFailure(error, stream.connectionUuid));
    }
  };

  const logFailure = (error: unknown, connectionUuid?: string) =>
    log.warn({ err: error, connection_id: connectionUuid }, 'event stream cannot be consumed, retrying');

  const consume = async (stream: SealedStream) => {
    const { connectionUuid, connector, secret } = stream;
    const source = sources.get(connector);
    if (!source) return;
    const credential = openCredential(stream, deps.keyring);
    const { name, consume: consumeEvents } = source.open(JSON.parse(credential));
    const lock = nameLock(stream, `${name} ${credential}`, deps.keyring);
    const provider = await ensureProvider(asService(deps.db), connector);
    const { take, release } = locks;
    if (!(await take(lock))) return;
    const leaving = new AbortController();
    const done = consumeEvents({
      egress: deps.egress.of(stream.organizationCode),
      signal: leaving.signal,
      log: (level, message, facts) => log[level]({ ...facts, connection_id: connectionUuid }, message),
      async onEvent(event, raw) {
        const { id, at, toItem } = source.intake.read(event);
        const eventKey = id === null ? `sha256 ${createHash('sha256').update(raw).digest('hex')}` : clip(id, 200);
        await storeStreamEvent(pg, provider, { connectionUuid, eventKey, at: at ?? nowSeconds(), event, raw, item: toItem(eventKey) });
      },
    })
      .finally(() => release(lock))
      .catch((error: unknown) => logFailure(error, connectionUuid))
      .finally(() => consumers.delete(connectionUuid));
    consumers.set(connectionUuid, { ciphertext: secret.ciphertext, stopping: leaving, done });
  };

  const run = async () => {
    while (!stopping.signal.aborted) {
      await checkStreams().catch((error: unknown) => {
        logFailure(error);
        // The locks may be lost: a worker that reaches the database may hold them now.
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

function openCredential({ organizationUuid, connectionUuid, secret: { field, ...sealed } }: SealedStream, keyring: Keyring): string {
  return keyring.open(sealed, { organizationUuid, connectionUuid, field });
}

/**
 * Connections share a lock, and so a consumer, only with the same credentials in the same organization: anybody can enter the name of
 * a queue. A key is needed, because the database shows its locks.
 */
function nameLock({ organizationUuid }: SealedStream, credential: string, keyring: Keyring): string {
  return keyring.authenticate(`${organizationUuid} ${credential}`, 'stream lock').code;
}
