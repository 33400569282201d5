import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { Egress } from '../../connectors/kit/egress.js';
import { createAuthority } from '../../connectors/kit/stand-in/authority.js';
import type { StreamCredentials } from '../../connectors/malware-protection/contract.js';
import { eventText, type MalwareEvent, malwareEvent } from '../../connectors/malware-protection/stand-in.js';
import { findConnection } from '../../db/connections/connections.js';
import { readStreamEvents } from '../../db/sources/stream-events.js';
import { replaceCredentials } from '../../services/connections/replace-credentials.js';
import type { Connection } from '../../services/connections/wire.js';
import { readClock } from '../../services/context.js';
import { type StreamConsumers, startStreamConsumers } from '../../worker/stream-consumer.js';
import { type Broker, startRabbitmq } from '../servers/rabbitmq.js';
import { adminPrincipal } from '../support/principal.js';
import { log, startTestService, type TestService, waitFor } from '../support/service.js';

let service: TestService;
let broker: Broker;
let folder: string;
let whyNot: string | null = null;
let running: StreamConsumers[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'alert-investigator-rabbitmq-'));
  try {
    broker = await startRabbitmq({ authority: await createAuthority(), folder, log, given: process.env['AMQP_URL'] });
  } catch (error) {
    if (process.env['CI'] === 'true') throw error;
    whyNot = error instanceof Error ? error.message : String(error);
    console.warn(`The consumer of event streams is not tested: ${whyNot}`);
    return;
  }
  // Without a worker, which would start its own consumer.
  service = await startTestService({ worker: false });
}, 900_000);
afterAll(async () => {
  await service?.stop();
  await broker?.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach((context) => {
  if (whyNot !== null) context.skip(whyNot);
});
afterEach(async () => {
  await Promise.all(running.map((consumers) => consumers.stop()));
  running = [];
  if (whyNot === null) await service.database.pg`delete from connections`;
});

/** Starts the consumers of one worker. */
function startConsumers(): StreamConsumers {
  const { settings, database, keyring } = service;
  const consumers = startStreamConsumers({
    ...database,
    databaseUrl: settings.DATABASE_URL ?? '',
    keyring,
    egress: new Egress({ allow: [`${broker.host}:${broker.port}`], ca: broker.ca }),
    log,
    lookEverySeconds: 0.1,
  });
  running.push(consumers);
  return consumers;
}

async function newStream(): Promise<StreamCredentials> {
  const queue = `consumer_${randomUUID()}`;
  const account = await broker.declareQueue(queue, `user-${queue}`, 'stream-password');
  return { ...account, queue_name: queue, host: broker.host, port: String(broker.port), proto: 'https' };
}

async function connect(stream: StreamCredentials, feedsIntake = true): Promise<string> {
  const reply = await service.request<Connection>('POST', '/platformapi/connections', {
    body: {
      organization_code: 'DEMO',
      connector: 'malware-protection',
      instance_name: `malware ${randomUUID()}`,
      settings: { region: 'eu' },
      credentials: { api_client_id: 'client', api_key: 'canary-api-key', stream },
      feeds_intake: feedsIntake,
    },
  });
  expect(reply.status).toBe(201);
  return reply.body.connection_id;
}

const stored = (connectionId: string) => readStreamEvents(service.database.db, connectionId, { since: null, limit: 10_000 });
const listAlerts = (connectionId: string) => service.database.pg<{ alert_uuid: string; alert_type: string; alert_id: string }[]>`
  select alert_uuid, alert_type, alert_id from alerts where created_by = ${connectionId} order by alert_uuid`;
const publish = (stream: StreamCredentials, events: readonly MalwareEvent[]) => broker.publish(stream.queue_name, events.map(eventText));

let nextId = 6_180_352_115_244_794_000n;
function detected(more: Record<string, unknown> = {}): MalwareEvent {
  nextId += 1n;
  return malwareEvent({
    id: nextId,
    type: 'Threat Detected',
    at: 1_790_000_000,
    more: { detection: 'W32.X', detection_id: String(nextId), ...more },
  });
}
const waitUntilEmpty = (stream: StreamCredentials) =>
  waitFor('the queue to be empty', async () => (await broker.waiting(stream.queue_name)) === 0);

it('stores every event with its exact ID and creates an alert for each detection', async () => {
  const stream = await newStream();
  const connectionId = await connect(stream);
  const events = [
    detected(),
    malwareEvent({ id: 1n, type: 'Scan Started', at: 1_790_000_001, more: { severity: 'Low' } }),
    malwareEvent({ type: 'SecureX Threat Hunting Incident', at: 1_790_000_002, more: { severity: 'Critical' } }),
  ];
  await publish(stream, events);
  startConsumers();
  await waitFor('all events', async () => (await stored(connectionId)).length === 3);
  expect(await stored(connectionId)).toMatchObject([
    { event_type: 'SecureX Threat Hunting Incident' },
    { id: 1 },
    { id: String(events[0]?.id) },
  ]);
  const alerts = await listAlerts(connectionId);
  expect(alerts.map((alert) => alert.alert_type).sort()).toEqual([
    'Malware event: Detection',
    'Malware event: SecureX Threat Hunting Incident',
  ]);
  expect(alerts[0]?.alert_id).toMatch(/^DEMO-MALWARE_PROTECTION-\d+$/);
  await waitUntilEmpty(stream);
});

it('creates one alert for a detection and its quarantine, and none for a repeated event', async () => {
  const stream = await newStream();
  const connectionId = await connect(stream);
  const one = detected();
  const two = detected({ detection_id: one['detection_id'], event_type: 'Threat Quarantined' });
  await publish(stream, [two, one, two, one, one]);
  startConsumers();
  await waitFor('both events', async () => (await stored(connectionId)).length === 2);
  await waitUntilEmpty(stream);
  expect(await listAlerts(connectionId)).toHaveLength(1);
});

it('stores events without alerts if the connection does not feed the intake', async () => {
  const stream = await newStream();
  const connectionId = await connect(stream, false);
  await publish(stream, [detected()]);
  startConsumers();
  await waitFor('the event', async () => (await stored(connectionId)).length === 1);
  expect(await listAlerts(connectionId)).toEqual([]);
});

/** The number of stream locks that are held. */
async function locksHeld(): Promise<number> {
  const held = await service.database.pg`
    select from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`;
  return held.length;
}

it('has one consumer per stream among several workers, and another one takes over when it stops', async () => {
  const stream = await newStream();
  await connect(stream);
  // The same stream in another connection still has one consumer.
  await connect(stream);
  const countStored = async () => (await service.database.pg`select from stream_events`).length;
  const workers = [startConsumers(), startConsumers(), startConsumers()];
  for (const [index, worker] of workers.entries()) {
    await publish(stream, [detected()]);
    await waitFor('the event', async () => (await countStored()) === index + 1);
    expect(await locksHeld()).toBe(1);
    await worker.stop();
  }
  expect(await locksHeld()).toBe(0);
});

it('leaves the stream when its lock connection is lost, and returns', async () => {
  const stream = await newStream();
  const connectionId = await connect(stream);
  startConsumers();
  await publish(stream, [detected()]);
  await waitFor('the first event', async () => (await stored(connectionId)).length === 1);
  const ended = await service.database.pg`
    select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'alert-investigator locks' and datname = current_database()`;
  expect(ended).toHaveLength(1);
  await publish(stream, [detected()]);
  await waitFor('the second event', async () => (await stored(connectionId)).length === 2);
});

it('loses none of a thousand events while workers start and stop', async () => {
  const stream = await newStream();
  const connectionId = await connect(stream, false);
  const events = Array.from({ length: 1000 }, () => detected());
  let worker = startConsumers();
  for (let from = 0; from < events.length; from += 200) {
    await publish(stream, events.slice(from, from + 200));
    await waitFor('more stored events', async () => (await stored(connectionId)).length > from);
    const next = startConsumers();
    await worker.stop();
    worker = next;
  }
  await waitFor('all events', async () => (await stored(connectionId)).length === 1000);
  await waitUntilEmpty(stream);
});

it('continues with new credentials after a reconnect', async () => {
  const [first, second] = [await newStream(), await newStream()];
  const connectionId = await connect(first);
  startConsumers();
  await publish(first, [detected()]);
  await waitFor('the first event', async () => (await stored(connectionId)).length === 1);
  await publish(second, [detected()]);
  const { database, keyring } = service;
  const row = await findConnection(database.db, null, connectionId);
  if (!row) throw new Error('no connection');
  const place = { organizationUuid: row.organizationUuid, connectionUuid: connectionId, field: 'stream' };
  const by = adminPrincipal();
  const secrets = [{ field: 'stream', ...keyring.seal(JSON.stringify(second), place) }];
  await replaceCredentials({ db: database.db, by, now: readClock }, row, { plainCredentials: row.plainCredentials, secrets });
  await waitFor('the event of the new stream', async () => (await stored(connectionId)).length === 2);
});

it('stores a message that the database cannot represent as raw text instead of redelivering it forever', async () => {
  const stream = await newStream();
  const connectionId = await connect(stream);
  const broken = ['not JSON', 'NUL \u0000', '{"event_type": "nul \\u0000", "severity": "High"}', '{"half": "\\ud800"}', 'null', '[1]'];
  await broker.publish(stream.queue_name, broken);
  startConsumers();
  await waitFor('all messages', async () => (await stored(connectionId)).length === broken.length);
  await waitUntilEmpty(stream);
  const kept = await stored(connectionId);
  expect(kept).toContainEqual({ raw: 'not JSON' });
  expect(kept).toContainEqual({ base64: Buffer.from(broken[2] ?? '').toString('base64') });
  expect(await listAlerts(connectionId)).toMatchObject([{ alert_type: 'Malware event: nul \uFFFD' }]);
});

it('leaves the stream of a deleted connection', async () => {
  const stream = await newStream();
  const connectionId = await connect(stream);
  startConsumers();
  await publish(stream, [detected()]);
  await waitFor('the event', async () => (await stored(connectionId)).length === 1);
  expect((await service.request('DELETE', `/platformapi/connections/${connectionId}`)).status).toBe(204);
  await waitFor('the lock to be released', async () => (await locksHeld()) === 0);
});
