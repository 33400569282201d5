import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createAuthority } from '../../activities/connectors/kit/stand-in/stand-in.js';
import type { Channel } from '../../domain/notification/channel.js';
import type { Delivery } from '../../domain/notification/delivery.js';
import { waitFor } from '../support/service.js';
import { createRule, startWithReceiver, type WithReceiver, writeEvent } from '../support/webhook-receiver.js';

const PASSWORD = `password-${randomUUID()}`;
const BOT_TOKEN = `xoxb-${randomUUID()}`;
const ROUTING_KEY = `key-${randomUUID()}`;
const mails: string[] = [];
let kit: WithReceiver;
let smtp: SMTPServer;
let smtpPort: number;

beforeAll(async () => {
  const authority = await createAuthority();
  smtp = new SMTPServer({
    ...(await authority.issue(['localhost'])),
    secure: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'soc' && password === PASSWORD ? done(null, { user: username }) : done(new Error(`Wrong password ${password}`)),
    onData(stream, _session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        mails.push(Buffer.concat(parts).toString());
        done();
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
    define(app) {
      app.post('/api/chat.postMessage', async () => ({ ok: true, channel: 'C0123', ts: '17000.1' }));
      app.post('/api/chat.update', async () => ({ ok: true, channel: 'C0123', ts: '17000.1' }));
      app.post('/v2/enqueue', async (_request, reply) => reply.code(202).send({ status: 'success' }));
    },
  });
});
afterAll(async () => {
  await kit?.stop();
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
});

async function create(kind: string, settings: object, secrets: object): Promise<Channel> {
  const body = { organization_code: 'DEMO', name: `${kind} ${randomUUID()}`, kind, settings, secrets };
  const reply = await kit.service.request<Channel>('POST', '/platformapi/notification-channels', { body });
  expect(reply).toMatchObject({ status: 201, body: { signing_secret: null } });
  expect(JSON.stringify(reply.body)).not.toMatch(new RegExp([PASSWORD, BOT_TOKEN, ROUTING_KEY].join('|')));
  onTestFinished(async () => {
    await kit.service.request('DELETE', `/platformapi/notification-channels/${reply.body.channel_id}`);
  });
  return reply.body;
}

const test = (channel: Channel) => kit.service.request<Delivery>('POST', `/platformapi/notification-channels/${channel.channel_id}/test`);
const requestsTo = (path: string) => kit.receiver.requests.filter(({ url }) => url === path);

/** Two states of one connection. */
async function breakAndRestore(channel: Channel): Promise<string> {
  await createRule(kit.service, channel.channel_id, { events: ['connection.broken', 'connection.restored'] });
  const connectionId = randomUUID();
  const data = { connection_id: connectionId, connector: 'endpoint-detection', instance_name: 'Endpoints <prod>' };
  for (const name of ['connection.broken', 'connection.restored']) await writeEvent(kit.service, name, connectionId, data);
  return connectionId;
}

describe('an e-mail', () => {
  const settings = () => ({
    host: 'localhost',
    port: smtpPort,
    from: 'soc@harbour.example',
    to: ['oncall@harbour.example'],
    username: 'soc',
  });

  it('has a title, a link and a constant id, and goes through TLS with a login', { timeout: 60_000 }, async () => {
    const reply = await test(await create('email', settings(), { password: PASSWORD }));
    expect(reply).toMatchObject({ status: 200, body: { state: 'delivered', last_error: null } });
    const [mail = ''] = mails;
    expect(mail).toContain('Subject: Test of the notification channel');
    expect(mail).toContain('https://investigator.example/settings?tab=3Dnotifications'.replace('3D', mail.includes('=3D') ? '3D' : ''));
    expect(mail).toContain(`Message-ID: <${reply.body.event_id}@alert-investigator>`);
    expect(mail).toContain('To: oncall@harbour.example');
  });

  it('that the server refuses is a failure without the text of the server', { timeout: 60_000 }, async () => {
    const reply = await test(await create('email', settings(), { password: 'wrong' }));
    expect(reply.body).toMatchObject({ state: 'failed', last_error: 'The mail server rejected the user name or the password.' });
  });

  it('goes only to servers of the egress policy', { timeout: 60_000 }, async () => {
    const reply = await test(await create('email', { ...settings(), port: 26 }, { password: PASSWORD }));
    expect(reply.body).toMatchObject({ state: 'failed', last_error: expect.stringContaining('egress policy') });
  });
});

describe('Slack', () => {
  const settings = () => ({ channel: '#soc', api_url: `${kit.receiver.url}/api` });

  it('gets a message, which is updated when the state changes', { timeout: 60_000 }, async () => {
    await breakAndRestore(await create('slack', settings(), { bot_token: BOT_TOKEN }));
    await waitFor('the update', async () => requestsTo('/api/chat.update').length === 1);
    expect(requestsTo('/api/chat.postMessage')).toMatchObject([
      {
        headers: { authorization: `Bearer ${BOT_TOKEN}` },
        body: {
          channel: '#soc',
          text: 'The connection Endpoints &lt;prod&gt; is broken\n<https://investigator.example/integrations/endpoint-detection|Open>',
        },
      },
    ]);
    expect(requestsTo('/api/chat.update')).toMatchObject([
      { body: { channel: 'C0123', ts: '17000.1', text: expect.stringContaining('works again') } },
    ]);
  });

  it('that refuses a message is a failure with its code only', { timeout: 60_000 }, async () => {
    kit.receiver.faults.next({ body: { ok: false, error: 'not_in_channel', needed: BOT_TOKEN } });
    const reply = await test(await create('slack', settings(), { bot_token: BOT_TOKEN }));
    expect(reply.body).toMatchObject({ state: 'failed', last_error: 'Slack answered: not_in_channel.' });
  });
});

it('PagerDuty opens an incident and resolves it under the same key', { timeout: 60_000 }, async () => {
  const connectionId = await breakAndRestore(
    await create('pagerduty', { url: `${kit.receiver.url}/v2/enqueue` }, { routing_key: ROUTING_KEY }),
  );
  await waitFor('the end', async () => requestsTo('/v2/enqueue').length === 2);
  const common = { routing_key: ROUTING_KEY, dedup_key: `connection ${connectionId}`, payload: { source: 'DEMO', severity: 'warning' } };
  expect(requestsTo('/v2/enqueue').map(({ body }) => body)).toMatchObject([
    { ...common, event_action: 'trigger', payload: { summary: 'The connection Endpoints <prod> is broken' } },
    { ...common, event_action: 'resolve' },
  ]);
});

it('stores the entered secrets sealed, and needs them again for new settings', { timeout: 60_000 }, async () => {
  const { pg } = kit.service.database;
  const channel = await create('slack', { channel: '#soc' }, { bot_token: BOT_TOKEN });
  const path = `/platformapi/notification-channels/${channel.channel_id}`;
  const patch = (body: object) => kit.service.request('PATCH', path, { body });
  expect(await patch({ settings: { channel: '#other', api_url: `${kit.receiver.url}/api` } })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '#/secrets/bot_token' }] },
  });
  expect(await patch({ settings: { channel: '#other' }, secrets: { bot_token: 'xoxb-new' } })).toMatchObject({ status: 200 });
  expect(await kit.service.request('POST', `${path}/rotate-secret`)).toMatchObject({ status: 409 });
  const rows =
    await pg`select to_jsonb(t)::text as row from notification_secrets as t union all select to_jsonb(t)::text from notification_channels as t`;
  const audit = await pg`select to_jsonb(t)::text as row from audit_log as t`;
  expect(JSON.stringify([rows, audit])).not.toMatch(new RegExp(['xoxb-new', PASSWORD, BOT_TOKEN, ROUTING_KEY].join('|')));
  const wrong = { organization_code: 'DEMO', name: 'x', kind: 'email', settings: { host: 'mail.example', from: 'nobody', to: [] } };
  expect(await kit.service.request('POST', '/platformapi/notification-channels', { body: wrong })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '#/settings/from' }, { pointer: '#/settings/to' }] },
  });
});
