import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { Egress } from '../../../connectors/kit/egress.js';
import { createAuthority } from '../../../connectors/kit/stand-in/authority.js';
import type { StreamCredentials } from '../../../connectors/malware-protection/contract.js';
import { eventText, type MalwareEvent, malwareEvent } from '../../../connectors/malware-protection/stand-in.js';
import { readStreamEvents } from '../../../db/sources/stream-events.js';
import type { Connection } from '../../../services/connections/wire.js';
import { type StreamConsumers, startStreamConsumers } from '../../../worker/stream-consumer.js';
import { type Broker, startRabbitmq } from '../../servers/rabbitmq.js';
import { deleteConnections } from '../../support/rows.js';
import { log, startTestService, type TestService, waitFor } from '../../support/service.js';

export let service: TestService;
export let broker: Broker;
let folder: string;
let whyNot: string | null = null;
let running: StreamConsumers[] = [];

/** Starts the broker and a service for the tests of a file. They are skipped on a machine without a broker. */
export function setUpStreams(): void {
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
    if (whyNot === null) await deleteConnections(service);
  });
}

/** Starts the consumers of one worker. */
export function startConsumers(): StreamConsumers {
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

export async function newStream(): Promise<StreamCredentials> {
  const queue = `consumer_${randomUUID()}`;
  const account = await broker.declareQueue(queue, `user-${queue}`, 'stream-password');
  return { ...account, queue_name: queue, host: broker.host, port: String(broker.port), proto: 'https' };
}

export async function connect(stream: StreamCredentials, feedsIntake = true, organizationCode = 'DEMO'): Promise<string> {
  const reply = await service.request<Connection>('POST', '/platformapi/connections', {
    body: {
      organization_code: organizationCode,
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

export async function stored(connectionId: string): Promise<unknown[]> {
  const events: unknown[] = [];
  for await (const page of readStreamEvents(service.database.db, connectionId, { since: null }, { pageSize: 2 })) events.push(...page);
  return events;
}
export const listAlerts = (connectionId: string) => service.database.pg<{ alert_uuid: string; alert_type: string; alert_id: string }[]>`
  select alert_uuid, alert_type, alert_id from alerts where created_by = ${connectionId} order by alert_uuid`;
export const publish = (stream: StreamCredentials, events: readonly MalwareEvent[]) =>
  broker.publish(stream.queue_name, events.map(eventText));

let nextId = 6_180_352_115_244_794_000n;
export function detected(more: Record<string, unknown> = {}): MalwareEvent {
  nextId += 1n;
  return malwareEvent({
    id: nextId,
    type: 'Threat Detected',
    at: 1_790_000_000,
    more: { detection: 'W32.X', detection_id: String(nextId), ...more },
  });
}
export const waitUntilEmpty = (stream: StreamCredentials) =>
  waitFor('the queue to be empty', async () => (await broker.waiting(stream.queue_name)) === 0);
