import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createAuthority } from '../../connectors/kit/stand-in/stand-in.js';
import type { Channel, Delivery } from '../../services/notifications/wire.js';
import { startMailServer } from '../support/mail-server.js';
import { changeNotificationChannels } from '../support/rows.js';
import { waitFor } from '../support/service.js';
import { createRule, startWithReceiver, type WithReceiver, writeEvent } from '../support/webhook-receiver.js';

const PASSWORD = `password-${randomUUID()}`;
const BOT_TOKEN = `xoxb-${randomUUID()}`;
const ROUTING_KEY = `key-${randomUUID()}`;
const APP_PASSWORD = `app-${randomUUID()}`;
const TENANT = randomUUID();
const APP = randomUUID();
const SECRETS = [PASSWORD, BOT_TOKEN, ROUTING_KEY, APP_PASSWORD].join('|');
let kit: WithReceiver;
type MailServer = Awaited<ReturnType<typeof startMailServer>>;
let mailServer: MailServer;
let modes: Record<'starttls' | 'plain', MailServer>;

beforeAll(async () => {
  const authority = await createAuthority();
  const user = { name: 'soc', password: PASSWORD };
  mailServer = await startMailServer(authority, user);
  modes = { starttls: await startMailServer(authority, user, 'starttls'), plain: await startMailServer(authority, user, 'plain') };
  kit = await startWithReceiver({
    deliveryBackoff: { baseMs: 20, maxMs: 200 },
    authority,
    allow: [mailServer, modes.starttls, modes.plain].map(({ address }) => address),
    define(app) {
      app.post('/api/chat.postMessage', async () => ({ ok: true, channel: 'C0123', ts: '17000.1' }));
      app.post('/api/chat.update', async () => ({ ok: true, channel: 'C0123', ts: '17000.1' }));
      app.post<{ Body: Record<string, string> }>(`/login/${TENANT}/oauth2/v2.0/token`, async ({ body }, reply) =>
        body['client_id'] === APP && body['client_secret'] === APP_PASSWORD && body['scope'] === 'https://api.botframework.com/.default'
          ? { token_type: 'Bearer', expires_in: 3600, access_token: `token-${randomUUID()}` }
          : reply.code(401).send({ error: 'invalid_client', error_description: `AADSTS7000215 ${body['client_secret']}` }),
      );
      app.post('/teams/v3/conversations', async (_request, reply) =>
        reply.code(201).send({ id: '19:soc@thread.tacv2;messageid=1', activityId: '1', serviceUrl: 'https://smba.invalid/' }),
      );
      app.put('/teams/v3/conversations/:conversation/activities/:activity', async () => ({ id: '1' }));
      app.post('/v2/enqueue', async (_request, reply) => reply.code(202).send({ status: 'success' }));
    },
  });
});
afterAll(async () => {
  await kit?.stop();
  for (const server of [mailServer, ...Object.values(modes ?? {})]) await server?.stop();
});

async function create(kind: string, settings: object, secrets: object): Promise<Channel> {
  const body = { organization_code: 'DEMO', name: `${kind} ${randomUUID()}`, kind, settings, secrets };
  const reply = await kit.service.request<Channel>('POST', '/platformapi/notification-channels', { body });
  expect(reply).toMatchObject({ status: 201, body: { signing_secret: null } });
  expect(JSON.stringify(reply.body)).not.toMatch(new RegExp(SECRETS));
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
  for (const name of ['connection.broken', 'connection.restored'] as const) await writeEvent(kit.service, name, connectionId, data);
  return connectionId;
}

describe('an email', () => {
  const settings = () => ({
    host: 'localhost',
    port: mailServer.port,
    from: 'soc@harbour.example',
    to: ['oncall@harbour.example'],
    username: 'soc',
  });

  it('has a title, a link and a constant id, and goes through TLS with a login', async () => {
    const reply = await test(await create('email', settings(), { password: PASSWORD }));
    expect(reply).toMatchObject({ status: 200, body: { state: 'delivered', last_error: null } });
    const [mail = ''] = mailServer.mails;
    expect(mail).toContain('Subject: Notification channel test');
    expect(mail).toContain('https://investigator.example/settings?tab=3Dnotifications'.replace('3D', mail.includes('=3D') ? '3D' : ''));
    expect(mail).toContain(`Message-ID: <${reply.body.event_id}@alert-investigator>`);
    expect(mail).toContain('To: oncall@harbour.example');
  });

  it.each([
    ['starttls', { state: 'delivered', last_error: null }],
    ['plain', { state: 'failed', last_error: expect.stringContaining('The mail server') }],
  ] as const)('needs TLS also after a beginning without it: %s', async (mode, expected) => {
    const server = modes[mode];
    const channel = await create('email', { ...settings(), port: server.port, starttls: true }, { password: PASSWORD });
    expect((await test(channel)).body).toMatchObject(expected);
    expect(server.mails).toHaveLength(mode === 'plain' ? 0 : 1);
    expect(server.logins).toHaveLength(mode === 'plain' ? 0 : 1);
  });

  it('that the server refuses is a failure without the text of the server', async () => {
    const reply = await test(await create('email', settings(), { password: 'wrong' }));
    expect(reply.body).toMatchObject({ state: 'failed', last_error: 'The mail server rejected the user name or the password.' });
  });

  it('goes only to servers of the egress policy', async () => {
    const reply = await test(await create('email', { ...settings(), port: 26 }, { password: PASSWORD }));
    expect(reply.body).toMatchObject({ state: 'failed', last_error: expect.stringContaining('egress policy') });
  });
});

describe('Slack', () => {
  const settings = () => ({ channel: '#soc' });

  it('gets a message, which is updated when the state changes', async () => {
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

  it('gets a deleted message anew', async () => {
    kit.receiver.requests.splice(0);
    kit.receiver.faults.next({ match: ({ url }) => url === '/api/chat.update', body: { ok: false, error: 'message_not_found' } });
    await breakAndRestore(await create('slack', settings(), { bot_token: BOT_TOKEN }));
    await waitFor('the new message', async () => requestsTo('/api/chat.postMessage').length === 2);
    expect(requestsTo('/api/chat.postMessage').at(-1)).toMatchObject({ body: { text: expect.stringContaining('works again') } });
  });

  it('that refuses a message is a failure with its code only', async () => {
    kit.receiver.faults.next({ body: { ok: false, error: 'not_in_channel', needed: BOT_TOKEN } });
    const reply = await test(await create('slack', settings(), { bot_token: BOT_TOKEN }));
    expect(reply.body).toMatchObject({ state: 'failed', last_error: 'Slack answered: not_in_channel.' });
  });

  it('gets no token that was entered for another host', async () => {
    kit.receiver.requests.splice(0);
    const channel = await create('slack', settings(), { bot_token: BOT_TOKEN });
    const stored = { ...settings(), api_url: 'https://slack.tenant.example/api' };
    await changeNotificationChannels(kit.service, { channelUuid: channel.channel_id }, { settings: stored });
    expect((await test(channel)).body).toMatchObject({ state: 'failed', last_error: expect.stringContaining('SLACK_API_URL') });
    expect(kit.receiver.requests).toEqual([]);
  });
});

describe('Teams', () => {
  const settings = () => ({
    tenant_id: TENANT,
    app_id: APP,
    channel_id: '19:soc@thread.tacv2',
    service_url: `${kit.receiver.url}/teams/`,
    login_url: `${kit.receiver.url}/login`,
  });
  const START = '/teams/v3/conversations';
  const UPDATE = `${START}/19%3Asoc%40thread.tacv2%3Bmessageid%3D1/activities/1`;
  const isStart = ({ url }: { url: string }) => url === START;
  const cardOf = (text: string) => ({
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          body: [{ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: expect.stringContaining(text) }] }],
        },
      },
    ],
  });

  it('gets a thread with a card, which is updated when the state changes', async () => {
    kit.receiver.requests.splice(0);
    await breakAndRestore(await create('teams', settings(), { app_password: APP_PASSWORD }));
    await waitFor('the update', async () => requestsTo(UPDATE).length === 1);
    const bearer = { authorization: expect.stringMatching(/^Bearer token-/) };
    expect(requestsTo(START)).toMatchObject([
      {
        headers: bearer,
        body: {
          isGroup: true,
          tenantId: TENANT,
          channelData: { channel: { id: '19:soc@thread.tacv2' } },
          activity: { type: 'message', ...cardOf('The connection Endpoints <prod> is broken') },
        },
      },
    ]);
    expect(requestsTo(UPDATE)).toMatchObject([{ method: 'PUT', headers: bearer, body: { id: '1', ...cardOf('works again') } }]);
    // The bot signs in once.
    expect(requestsTo(`/login/${TENANT}/oauth2/v2.0/token`)).toHaveLength(1);
  });

  it('gets the message in spite of an old token, a pause and an error, and anew if it was deleted', async () => {
    kit.receiver.requests.splice(0);
    kit.receiver.faults.next({ match: isStart, status: 401 });
    kit.receiver.faults.next({ match: isStart, status: 429, headers: { 'retry-after': '1' } });
    kit.receiver.faults.next({ match: isStart, status: 500 });
    kit.receiver.faults.next({ match: ({ url }) => url === UPDATE, status: 404 });
    await breakAndRestore(await create('teams', settings(), { app_password: APP_PASSWORD }));
    await waitFor('the new message', async () => requestsTo(START).length === 5);
    expect(requestsTo(UPDATE)).toHaveLength(1);
    expect(requestsTo(START).at(-1)).toMatchObject({ body: { activity: cardOf('works again') } });
  });

  it('that refuses the bot is a failure without its secret', async () => {
    const reply = await test(await create('teams', settings(), { app_password: 'wrong' }));
    expect(reply.body).toMatchObject({ state: 'failed', last_error: expect.stringContaining('refused (HTTP 401)') });
  });
});

it('PagerDuty opens an incident and resolves it under the same key', async () => {
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
