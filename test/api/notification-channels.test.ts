import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteChannelRow } from '../../db/notifications/channels.js';
import type { Channel } from '../../services/notifications/wire.js';
import { startTestService, type TestService, waitFor } from '../support/service.js';

const CHANNELS = '/platformapi/notification-channels';
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

it('stores the entered secrets sealed, and needs them again for new settings', async () => {
  const { pg } = service.database;
  const given = {
    organization_code: 'DEMO',
    name: 'Team',
    kind: 'slack',
    settings: { channel: '#soc' },
    secrets: { bot_token: 'xoxb-old' },
  };
  const { status, body: channel } = await service.request<Channel>('POST', CHANNELS, { body: given });
  expect(status).toBe(201);
  const path = `${CHANNELS}/${channel.channel_id}`;
  const patch = (body: object) => service.request('PATCH', path, { body });
  expect(await patch({ settings: { channel: '#other' } })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '#/secrets/bot_token' }] },
  });
  // A tenant's own server in the place of Slack could report any click.
  const own = { channel: '#soc', api_url: 'https://slack.example/api' };
  const refused = { status: 422, body: { detail: expect.stringContaining('SLACK_API_URL'), errors: [{ pointer: '#/settings/api_url' }] } };
  expect(await patch({ settings: own, secrets: { bot_token: 'xoxb-new' } })).toMatchObject(refused);
  expect(await service.request('POST', CHANNELS, { body: { ...given, name: 'Own', settings: own } })).toMatchObject(refused);
  const same = { channel: '#soc', api_url: 'https://slack.com/api/' };
  expect(await patch({ settings: same, secrets: { bot_token: 'xoxb-old' } })).toMatchObject({
    status: 200,
    body: { settings: { channel: '#soc', api_url: 'https://slack.com/api' } },
  });
  expect(await patch({ settings: { channel: '#other' }, secrets: { bot_token: 'xoxb-new' } })).toMatchObject({ status: 200 });
  expect(await service.request('POST', `${path}/rotate-secret`)).toMatchObject({ status: 409 });
  const rows =
    await pg`select to_jsonb(t)::text as row from notification_secrets as t union all select to_jsonb(t)::text from notification_channels as t`;
  const audit = await pg`select to_jsonb(t)::text as row from audit_log as t`;
  expect(JSON.stringify([rows, audit])).not.toMatch(/xoxb-new|xoxb-old/);
  const wrong = { organization_code: 'DEMO', name: 'x', kind: 'email', settings: { host: 'mail.example', from: 'nobody', to: [] } };
  expect(await service.request('POST', CHANNELS, { body: wrong })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '#/settings/from' }, { pointer: '#/settings/to' }] },
  });
});

it('a change waits for the deletion of its channel, and then finds none', async () => {
  const settings = { url: 'https://hook.example/x' };
  const given = { organization_code: 'DEMO', name: 'Ending', kind: 'webhook', settings };
  const { body: channel } = await service.request<Channel>('POST', CHANNELS, { body: given });
  const path = `${CHANNELS}/${channel.channel_id}`;
  const { db, pg } = service.database;
  const countWaiting = async () =>
    (await pg`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`).length;
  const changes = await db.transaction(async (transaction) => {
    await deleteChannelRow(transaction, channel.channel_id);
    const waiting = [
      service.request('POST', `${path}/rotate-secret`),
      service.request('POST', `${path}/test`),
      service.request('PATCH', path, { body: { settings } }),
      service.request('DELETE', path),
    ];
    await waitFor('the changes', async () => (await countWaiting()) === waiting.length);
    return waiting;
  });
  expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([404, 404, 404, 404]);
});
