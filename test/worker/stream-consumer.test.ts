import { expect, it } from 'vitest';
import { malwareEvent } from '../../connectors/malware-protection/stand-in.js';
import { findConnection } from '../../db/connections/connections.js';
import { replaceCredentials } from '../../services/connections/replace-credentials.js';
import { readClock } from '../../services/context.js';
import { createOrganization } from '../api/support/records.js';
import { adminPrincipal } from '../support/principal.js';
import { waitFor } from '../support/service.js';
import {
  broker,
  connect,
  detected,
  listAlerts,
  newStream,
  publish,
  service,
  setUpStreams,
  startConsumers,
  stored,
  waitUntilEmpty,
} from './support/streams.js';

setUpStreams();

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

it.each(['DEMO', 'OTHER'])('consumes the stream of a connection although one of %s with a wrong password tries first', async (code) => {
  const stream = await newStream();
  if (code !== 'DEMO') await createOrganization(service, code);
  await connect({ ...stream, password: 'a wrong password' }, false, code);
  startConsumers();
  await waitFor('the first consumer', async () => (await locksHeld()) === 1);
  const connectionId = await connect(stream);
  await publish(stream, [detected()]);
  await waitFor('the event', async () => (await stored(connectionId)).length === 1);
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
