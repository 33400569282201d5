import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { notifyWorkflowId } from '../../domain/notification/delivery.js';
import { createLogger } from '../../platform/log.js';
import { PREVIOUS_SIGNING_SECRET } from '../../services/notifications/seal-secrets.js';
import type { Delivery } from '../../services/notifications/wire.js';
import { ago, changeDeliveries, changeNotificationRules, changeNotificationSecrets } from '../support/rows.js';
import { replayAll, waitFor } from '../support/service.js';
import { dumpTables, readHistories } from '../support/stored-texts.js';
import {
  createRule,
  createWebhook,
  type ReceivedEvent,
  startWithReceiver,
  type WithReceiver,
  writeEvents,
} from '../support/webhook-receiver.js';

const logged: string[] = [];
const secrets: string[] = [];
let kit: WithReceiver;

beforeAll(async () => {
  const to = new Writable({
    write(line: Buffer, _encoding, done) {
      logged.push(line.toString());
      done();
    },
  });
  kit = await startWithReceiver({ deliveryBackoff: { baseMs: 20, maxMs: 200 }, log: createLogger('trace', 'test', { to }) });
});
afterAll(() => kit?.stop());
afterEach(async () => {
  kit.state.accepts = () => true;
  kit.receiver.faults.clear();
  await changeNotificationRules(kit.service, {}, { isEnabled: false });
});

async function subscribe(rule: Parameters<typeof createRule>[2]) {
  const channel = await createWebhook(kit.service, kit.url);
  secrets.push(channel.signing_secret);
  await createRule(kit.service, channel.channel_id, rule);
  return channel;
}

const receivedFor = (caseId: string): ReceivedEvent[] => kit.state.accepted.filter(({ event }) => event.data['case_id'] === caseId);

async function listDeliveries(query: string): Promise<Delivery[]> {
  return (await kit.service.request<{ items: Delivery[] }>('GET', `/platformapi/notification-deliveries?${query}`)).body.items;
}

const waitForState = (channelId: string, state: string) =>
  waitFor(`a ${state} delivery`, async () => (await listDeliveries(`channel_id=${channelId}&state=${state}`))[0]);

it('sends signed CloudEvents of a case in their order', async () => {
  const { signing_secret: secret } = await subscribe({ events: ['case.opened', 'case.verdict_changed', 'case.commented'] });
  const { alert_id: alertId } = await kit.service.sendAlert();
  await kit.service.waitForStatus(alertId, 15);
  const { case_id: caseId, verdict, severity } = await kit.service.readCase(alertId);
  await kit.service.request('PATCH', `/platformapi/cases/${caseId}`, { body: { comment: 'Called the owner.' } });
  await waitFor('the comment', async () => receivedFor(caseId).length === 3);
  const [opened, judged, commented] = receivedFor(caseId);
  expect([opened, judged, commented].map((received) => received?.event.type)).toEqual([
    'case.opened',
    'case.verdict_changed',
    'case.commented',
  ]);
  const link = `https://investigator.example/cases/${caseId}`;
  expect(judged?.event).toEqual({
    specversion: '1.0',
    id: judged?.headers['webhook-id'],
    source: '/organizations/DEMO',
    type: 'case.verdict_changed',
    subject: link,
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    datacontenttype: 'application/json',
    sequence: '0000000002',
    data: {
      title: `Case ${caseId}: ${verdict}, ${severity}`,
      link,
      organization_code: 'DEMO',
      case_id: caseId,
      verdict,
      severity,
      assignee: null,
      previous_verdict: null,
      previous_severity: null,
    },
  });
  expect(judged?.headers['content-type']).toBe('application/cloudevents+json; charset=utf-8');
  for (const received of receivedFor(caseId)) expect(() => new Webhook(secret).verify(received.payload, received.headers)).not.toThrow();
  expect(() => new Webhook(secret).verify(`${judged?.payload} `, judged?.headers ?? {})).toThrow();
});

it('repeats a failed event with its id and does not hold other cases', async () => {
  const channel = await subscribe({ events: ['case.commented'] });
  const [failing, other] = [randomUUID(), randomUUID()];
  const isOpen = { now: false };
  const ids: string[] = [];
  kit.state.accepts = ({ event }) => {
    if (event.data['case_id'] !== failing) return true;
    ids.push(event.id);
    return isOpen.now;
  };
  await writeEvents(kit.service, [failing], 2);
  await waitFor('three attempts', async () => ids.length >= 3);
  await writeEvents(kit.service, [other], 1);
  await waitForState(channel.channel_id, 'delivered');
  expect(receivedFor(other)).toHaveLength(1);
  expect(new Set(ids).size).toBe(1);
  expect(await listDeliveries(`channel_id=${channel.channel_id}&state=pending`)).toMatchObject([
    { attempts: 0, next_attempt_at: null, last_error: null },
    { attempts: expect.any(Number), last_error: 'The receiver answered with HTTP 503.', event_id: ids[0] },
  ]);
  isOpen.now = true;
  await waitFor('both events', async () => receivedFor(failing).length === 2);
  expect(receivedFor(failing).map(({ event }) => event.sequence)).toEqual(['0000000001', '0000000002']);
});

it('lists an event that it could not deliver, and replays it with its id', async () => {
  const channel = await subscribe({ events: ['case.commented'] });
  kit.state.accepts = () => false;
  const subject = randomUUID();
  await writeEvents(kit.service, [subject], 1);
  const pending = await waitForState(channel.channel_id, 'pending');
  expect(await kit.service.request('POST', `/platformapi/notification-deliveries/${pending.delivery_id}/replay`)).toMatchObject({
    status: 409,
  });
  await changeDeliveries(kit.service, { deliveryUuid: pending.delivery_id }, { expiresAt: ago({}) });
  const failed = await waitForState(channel.channel_id, 'failed');
  expect(failed).toMatchObject({
    event_id: pending.event_id,
    last_error: 'The receiver answered with HTTP 503.',
    ended_at: expect.any(Number),
  });
  kit.state.accepts = () => true;
  const path = `/platformapi/notification-channels/${channel.channel_id}`;
  expect(await kit.service.request('POST', `${path}/replay`)).toMatchObject({ status: 200, body: { replayed: 1 } });
  await waitFor('the replay', async () => receivedFor(subject).length === 1);
  expect(receivedFor(subject)[0]?.event.id).toBe(pending.event_id);
});

it('pauses the channel of a receiver that throttles', async () => {
  const channel = await subscribe({ events: ['case.commented'] });
  kit.receiver.faults.next({ status: 429, headers: { 'retry-after': '2' } });
  const subject = randomUUID();
  let acceptedAt: number | undefined;
  kit.state.accepts = ({ event }) => {
    if (event.data['case_id'] === subject) acceptedAt = Date.now();
    return true;
  };
  await writeEvents(kit.service, [subject], 1);
  const receivedAt = await waitFor('the event', async () => acceptedAt);
  const [row] = await kit.service.database.pg<{ blocked_until: number | null }[]>`
    select extract(epoch from blocked_until)::float8 * 1000 as blocked_until from notification_channels
    where channel_uuid = ${channel.channel_id}`;
  expect(receivedAt).toBeGreaterThanOrEqual(row?.blocked_until ?? expect.fail('there was no pause'));
});

it('accepts both secrets during the overlap of a rotation, and only the new one after it', async () => {
  const channel = await subscribe({ events: ['case.commented'] });
  const path = `/platformapi/notification-channels/${channel.channel_id}`;
  const rotated = await kit.service.request<{ signing_secret: string }>('POST', `${path}/rotate-secret`);
  expect(rotated).toMatchObject({ status: 200, body: { previous_secret_valid_until: expect.any(Number) } });
  const { signing_secret: next } = rotated.body;
  secrets.push(next);
  expect(next).not.toBe(channel.signing_secret);
  const verify = (secret: string, received: ReceivedEvent | undefined) =>
    new Webhook(secret).verify(received?.payload ?? '', received?.headers ?? {});
  const test = () => kit.service.request<Delivery>('POST', `${path}/test`);
  const findTest = ({ body }: { body: Delivery }) => kit.state.accepted.find(({ event }) => event.id === body.event_id);
  const during = await test();
  expect(during).toMatchObject({ status: 200, body: { state: 'delivered', event: 'notification.test', attempts: 1 } });
  for (const secret of [channel.signing_secret, next]) expect(() => verify(secret, findTest(during))).not.toThrow();
  const previous = { channelUuid: channel.channel_id, field: PREVIOUS_SIGNING_SECRET };
  await changeNotificationSecrets(kit.service, previous, { validUntil: ago({}) });
  const after = await test();
  expect(() => verify(next, findTest(after))).not.toThrow();
  expect(() => verify(channel.signing_secret, findTest(after))).toThrow();
});

it('reports the failure of a test after one attempt, and does not leave the egress policy', async () => {
  const channel = await createWebhook(kit.service, 'https://127.0.0.1:9/hook');
  const reply = await kit.service.request<Delivery>('POST', `/platformapi/notification-channels/${channel.channel_id}/test`);
  expect(reply).toMatchObject({
    status: 200,
    body: { state: 'failed', attempts: 1, last_error: expect.stringContaining('egress policy') },
  });
});

it('leaves no secret in the logs, the replies, the histories or the database, and its runs replay', async () => {
  const { pg } = kit.service.database;
  const replies = await Promise.all(
    ['notification-channels', 'notification-rules', 'notification-deliveries', 'audit'].map((list) =>
      kit.service.request('GET', `/platformapi/${list}?limit=200`),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const histories = await readHistories(kit.service);
  expect(histories).toContain('deliverNotifications');
  const texts = [logged.join(), JSON.stringify(replies.map(({ body }) => body)), await dumpTables(kit.service), histories];
  for (const secret of secrets) {
    const forms = [secret, secret.replace('whsec_', ''), encodeURIComponent(secret), Buffer.from(secret).toString('base64')];
    for (const text of texts) expect(forms.filter((form) => text.includes(form))).toEqual([]);
  }
  const [channel] = await pg<{ channel: string }[]>`select channel_uuid as channel from notification_channels limit 1`;
  await waitFor('its run to end', async () => {
    const { status } = await kit.service.temporal.workflow.getHandle(notifyWorkflowId(channel?.channel ?? '')).describe();
    return status.name === 'COMPLETED';
  });
  expect(await replayAll(kit.service)).toBeGreaterThan(0);
});
