import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAuthority } from '../../connectors/kit/stand-in/stand-in.js';
import { WEEKDAYS } from '../../domain/time-zone.js';
import type { Channel, Delivery } from '../../services/notifications/wire.js';
import { ago, changeDeliveries, changeNotificationRules } from '../support/rows.js';
import { waitFor } from '../support/service.js';
import { createRule, createWebhook, startWithReceiver, type WithReceiver, writeEvent } from '../support/webhook-receiver.js';

const mails: string[] = [];
const state = { isAway: false, attempts: 0 };
let kit: WithReceiver;
let smtp: SMTPServer;
let smtpPort: number;

beforeAll(async () => {
  const authority = await createAuthority();
  smtp = new SMTPServer({
    ...(await authority.issue(['localhost'])),
    secure: true,
    authOptional: true,
    onData(stream, _session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        state.attempts += 1;
        mails.push(Buffer.concat(parts).toString());
        done(state.isAway ? Object.assign(new Error('Busy'), { responseCode: 451 }) : null);
      });
    },
  });
  smtp.on('error', () => {});
  smtp.listen(0, 'localhost');
  await once(smtp.server, 'listening');
  smtpPort = (smtp.server.address() as AddressInfo).port;
  kit = await startWithReceiver({
    deliveryBackoff: { baseMs: 20, maxMs: 200 },
    authority,
    allow: [`localhost:${smtpPort}`],
    define: (app) => app.post('/api/chat.postMessage', async () => ({ ok: true, channel: 'C0123', ts: '17000.1' })),
  });
});
afterAll(async () => {
  await kit?.stop();
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
});
afterEach(async () => {
  mails.length = 0;
  Object.assign(state, { isAway: false, attempts: 0 });
  await changeNotificationRules(kit.service, {}, { isEnabled: false });
});

async function create(kind: string, settings: object, secrets: object = {}): Promise<Channel> {
  const body = { organization_code: 'DEMO', name: `${kind} ${randomUUID()}`, kind, settings, secrets };
  const reply = await kit.service.request<Channel>('POST', '/platformapi/notification-channels', { body });
  expect(reply).toMatchObject({ status: 201 });
  return reply.body;
}
const createMail = () =>
  create('email', { host: 'localhost', port: smtpPort, from: 'soc@harbour.example', to: ['oncall@harbour.example'] });

/** Quiet now, for at least an hour: from the hour before until two hours later. */
function quietNow() {
  const hour = new Date().getUTCHours();
  const toTime = (of: number) => `${String((of + 24) % 24).padStart(2, '0')}:00`;
  return { time_zone: 'UTC', from: toTime(hour - 1), to: toTime(hour + 2), weekdays: [...WEEKDAYS] };
}

const EVENTS = ['case.commented', 'case.verdict_changed'] as const;
const comment = (caseId: string, subject = randomUUID()) =>
  writeEvent(kit.service, 'case.commented', subject, { case_id: caseId, severity: 'low', verdict: null, assignee: null, author: null });
const judge = (caseId: string, severity: string, subject: string) =>
  writeEvent(kit.service, 'case.verdict_changed', subject, {
    ...{ case_id: caseId, severity, verdict: 'malicious', assignee: null },
    ...{ previous_verdict: null, previous_severity: null },
  });
const listDeliveries = async ({ channel_id: id }: { channel_id: string }) =>
  (await kit.service.request<{ items: Delivery[] }>('GET', `/platformapi/notification-deliveries?channel_id=${id}`)).body.items;
const waitForDeliveries = (channel: { channel_id: string }, count: number) =>
  waitFor(`${count} deliveries`, async () => {
    const deliveries = await listDeliveries(channel);
    return deliveries.length === count && deliveries.some((each) => each.next_attempt_at !== null) ? deliveries : null;
  });

/** The waiting time of these deliveries is over. */
async function letTimePass({ channel_id: id }: { channel_id: string }): Promise<void> {
  // Postgres keeps `infinity`.
  const earlier = { notBefore: sql`not_before - interval '1 day'`, nextAttemptAt: sql`next_attempt_at - interval '1 day'` };
  await changeDeliveries(kit.service, { channelUuid: id, state: 'pending' }, earlier);
  await kit.service.runner.wakeChannels([id]);
}

describe('quiet hours', () => {
  it('let events wait until their end, and count the day of attempts from then', async () => {
    const channel = await createWebhook(kit.service, kit.url);
    const quiet = quietNow();
    const rule = await createRule(kit.service, channel.channel_id, { events: [...EVENTS], quiet_hours: quiet });
    expect(rule).toMatchObject({ quiet_hours: { time_zone: 'UTC' }, digest: null, critical_at_once: false });
    const [caseId, subject] = [randomUUID(), randomUUID()];
    await judge(caseId, 'critical', subject);
    await comment(caseId, subject);
    const [second, first] = await waitForDeliveries(channel, 2);
    const end = first?.next_attempt_at ?? 0;
    expect(new Date(end * 1000).toISOString()).toContain(`T${quiet.to}:00`);
    expect(end).toBeGreaterThan(Date.now() / 1000);
    expect(second).toMatchObject({ state: 'pending', attempts: 0, next_attempt_at: null });
    const [row] = await kit.service.database.pg<{ seconds: number }[]>`
      select distinct extract(epoch from expires_at - not_before)::int as seconds from notification_deliveries
      where channel_uuid = ${channel.channel_id}`;
    expect(row?.seconds).toBe(86_400);
    expect(kit.state.accepted.filter(({ event }) => event.data['case_id'] === caseId)).toEqual([]);
    await letTimePass(channel);
    const received = () => kit.state.accepted.filter(({ event }) => event.data['case_id'] === caseId);
    await waitFor('both events', async () => received().length === 2);
    expect(received().map(({ event }) => event.type)).toEqual(['case.verdict_changed', 'case.commented']);
  });

  it('do not hold a critical case where the rule sends it at once, and keep the order of the case', async () => {
    const channel = await createWebhook(kit.service, kit.url);
    await createRule(kit.service, channel.channel_id, { events: [...EVENTS], quiet_hours: quietNow(), critical_at_once: true });
    const [caseId, subject, other] = [randomUUID(), randomUUID(), randomUUID()];
    await comment(caseId, subject);
    await comment(other);
    await waitForDeliveries(channel, 2);
    await judge(caseId, 'critical', subject);
    const received = () => kit.state.accepted.filter(({ event }) => [caseId, other].some((id) => id === event.data['case_id']));
    const states = async () => (await listDeliveries(channel)).map(({ state: of }) => of).sort();
    await waitFor('the critical case', async () => String(await states()) === 'delivered,delivered,pending');
    expect(received().map(({ event }) => [event.data['case_id'], event.type])).toEqual([
      [caseId, 'case.commented'],
      [caseId, 'case.verdict_changed'],
    ]);
  });
});

describe('a digest', () => {
  it('is one email with all events of the rule, whose id stays the same after a failure', async () => {
    const channel = await createMail();
    await createRule(kit.service, channel.channel_id, { events: [...EVENTS], digest: { every_minutes: 1440 } });
    const subject = randomUUID();
    await judge('DEMO-CASE-1', 'high', subject);
    await comment('DEMO-CASE-1', subject);
    await comment('DEMO-CASE-2');
    await waitForDeliveries(channel, 3);
    expect(mails).toEqual([]);
    state.isAway = true;
    await letTimePass(channel);
    await waitFor('two attempts', async () => state.attempts >= 2);
    state.isAway = false;
    await waitFor('the delivery', async () => (await listDeliveries(channel)).every((each) => each.state === 'delivered'));
    const readId = (mail: string) => /^Message-ID: (.*)$/m.exec(mail)?.[1];
    expect(new Set(mails.map(readId)).size).toBe(1);
    const mail = mails.at(-1) ?? '';
    expect(mail).toContain('Subject: 3 DEMO events');
    const lines = mail.replaceAll('=\r\n', '').split('\r\n');
    expect(lines.filter((line) => line.includes('/cases/'))).toEqual(
      ['DEMO-CASE-1', 'DEMO-CASE-1', 'DEMO-CASE-2'].map((id) => `https://investigator.example/cases/${id}`),
    );
    expect(mail).toMatch(/malicious, high.*New comment on case DEMO-CASE-1.*New comment on case DEMO-CASE-2/s);
    expect(new Set((await listDeliveries(channel)).map(({ attempts }) => attempts))).toEqual(new Set([state.attempts]));
  });

  it('fails as a whole, and later events are the next digest', async () => {
    const channel = await createMail();
    await createRule(kit.service, channel.channel_id, { events: [...EVENTS], digest: { every_minutes: 1440 } });
    await comment('DEMO-CASE-1');
    await comment('DEMO-CASE-2');
    await waitForDeliveries(channel, 2);
    state.isAway = true;
    await changeDeliveries(kit.service, { channelUuid: channel.channel_id }, { expiresAt: ago({}) });
    await letTimePass(channel);
    await comment('DEMO-CASE-3');
    await waitFor('the failure', async () => (await listDeliveries(channel)).filter((each) => each.state === 'failed').length === 2);
    expect(state.attempts).toBe(1);
    state.isAway = false;
    const next = await waitFor('the next digest', async () =>
      (await listDeliveries(channel)).find((each) => each.state === 'pending' && each.next_attempt_at !== null),
    );
    expect(next.next_attempt_at).toBeGreaterThan(Date.now() / 1000);
  });

  it('is one Slack message, and a digest of one event is that event', async () => {
    const channel = await create('slack', { channel: '#soc' }, { bot_token: 'xoxb-1' });
    await createRule(kit.service, channel.channel_id, { events: [...EVENTS], digest: { at: '08:00', time_zone: 'Europe/Berlin' } });
    const texts = () => kit.receiver.requests.filter(({ url }) => url === '/api/chat.postMessage').map(({ body }) => JSON.stringify(body));
    await comment('DEMO-CASE-1');
    await comment('DEMO-CASE-2');
    await waitForDeliveries(channel, 2);
    await letTimePass(channel);
    await waitFor('the digest', async () => (await listDeliveries(channel)).every((each) => each.state === 'delivered'));
    expect(texts()).toHaveLength(1);
    expect(texts()[0]).toMatch(/2 DEMO events.*New comment on case DEMO-CASE-1.*cases\/DEMO-CASE-2\|Open/);
    await comment('DEMO-CASE-3');
    await waitForDeliveries(channel, 3);
    await letTimePass(channel);
    await waitFor('the event', async () => texts().length === 2);
    expect(texts()[1]).toContain('"New comment on case DEMO-CASE-3');
  });

  it('is refused for a channel of programs, and so is a wrong schedule', async () => {
    const webhook = await createWebhook(kit.service, kit.url);
    const post = (more: object) => {
      const body = { organization_code: 'DEMO', name: 'x', channel_id: webhook.channel_id, events: ['case.opened'], ...more };
      return kit.service.request('POST', '/platformapi/notification-rules', { body });
    };
    expect(await post({ digest: { every_minutes: 60 } })).toMatchObject({ status: 422, body: { errors: [{ pointer: '#/digest' }] } });
    expect(await post({ digest: { every_minutes: 1 } })).toMatchObject({ status: 422 });
    expect(await post({ quiet_hours: { ...quietNow(), time_zone: 'Mars/Olympus' } })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '#/quiet_hours/time_zone' }] },
    });
    expect(await post({ quiet_hours: { ...quietNow(), from: '25:00' } })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '#/quiet_hours/from' }] },
    });
  });
});
