import { z } from 'zod';
import { catalogue } from '../../channels/catalogue.js';
import type { Channels } from '../../channels/kit/define.js';
import { listChannels } from '../../db/notifications/channels.js';
import { createChannel } from '../../services/notifications/create-channel.js';
import { deleteChannel } from '../../services/notifications/delete-channel.js';
import { replayChannel } from '../../services/notifications/replay-channel.js';
import { toChannel } from '../../services/notifications/require-channel.js';
import { rotateSecret } from '../../services/notifications/rotate-secret.js';
import { testChannel } from '../../services/notifications/test-channel.js';
import { updateChannel } from '../../services/notifications/update-channel.js';
import { Channel, ChannelForm, ChannelWithSecret, CreateChannel, Delivery, UpdateChannel } from '../../services/notifications/wire.js';
import { describeFields } from '../http/form-fields.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['notifications'];
const LIST = '/platformapi/notification-channels';
const ChannelPath = z.object({ channel_id: z.uuid() });
const EXAMPLE = {
  organization_code: 'DEMO',
  name: 'On-call',
  kind: 'webhook',
  settings: { url: 'https://hooks.example.com/alert-investigator' },
} as const;

/** The form of each kind of channel. */
export function describeChannels(): ChannelForm[] {
  const contracts: Channels = catalogue;
  return Object.values(contracts).map(({ kind, title, settings, secrets, receiver, sendsDigests, isSigned, fixedByOperator = {} }) => ({
    kind,
    title,
    settings: describeFields(settings).filter(({ name }) => !(name in fixedByOperator)),
    secrets: describeFields(secrets),
    receiver,
    sends_digests: sendsDigests,
    has_signing_secret: isSigned,
  }));
}

export function notificationChannelRoutes(app: ZodApp, { database: { db }, keyring, operator }: RouteDeps): void {
  const kinds = describeChannels();

  app.get(
    '/platformapi/notification-channel-kinds',
    {
      config: { access: ['admin'] },
      schema: {
        operationId: 'getNotificationChannelKindListAPI',
        tags,
        summary: 'List the kinds of notification channels with their fields',
        response: { 200: pageSchema(ChannelForm), ...problems() },
      },
    },
    async () => ({ items: kinds, next_cursor: null }),
  );

  app.get(
    LIST,
    {
      config: { access: ['admin'] },
      schema: {
        operationId: 'getNotificationChannelListAPI',
        tags,
        summary: 'List notification channels, without their secrets',
        querystring: PageQuery,
        response: { 200: pageSchema(Channel), ...problems() },
      },
    },
    async ({ query, principal }) => {
      const { items, next } = await listChannels(db, principal.organizationUuid, pageRequest(query));
      return toListReply({ items: items.map(toChannel), next });
    },
  );

  app.post(
    LIST,
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'createNotificationChannelAPI',
        tags,
        summary: 'Create a notification channel',
        description: 'A channel gets events when a rule names it. The reply contains the signing secret, which is shown only once.',
        body: CreateChannel.meta({ examples: [EXAMPLE] }),
        response: { 201: ChannelWithSecret, ...problems(409, 413, 415) },
      },
    },
    async ({ body, context }, reply) => reply.status(201).send(await createChannel({ ...context, keyring, operator }, body)),
  );

  app.patch(
    `${LIST}/:channel_id`,
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'updateNotificationChannelAPI',
        tags,
        summary: 'Change, enable or disable a notification channel',
        params: ChannelPath,
        body: UpdateChannel.meta({ examples: [{ is_enabled: false }] }),
        response: { 200: Channel, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, body, context }) => updateChannel({ ...context, keyring, operator }, params.channel_id, body),
  );

  app.delete(
    `${LIST}/:channel_id`,
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'deleteNotificationChannelAPI',
        tags,
        summary: 'Delete a notification channel with its rules and deliveries',
        params: ChannelPath,
        response: { 204: z.null(), ...problems(404) },
      },
    },
    async ({ params, context }, reply) => {
      await deleteChannel(context, params.channel_id);
      return reply.status(204).send(null);
    },
  );

  app.post(
    `${LIST}/:channel_id/rotate-secret`,
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'rotateNotificationSecretAPI',
        tags,
        summary: 'Replace the signing secret',
        description: 'For a day each message has the signatures of both secrets, so that the receiver can change over.',
        params: ChannelPath,
        response: { 200: ChannelWithSecret, ...problems(404, 409) },
      },
    },
    async ({ params, context }) => rotateSecret(context, keyring, params.channel_id),
  );

  app.post(
    `${LIST}/:channel_id/test`,
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'testNotificationChannelAPI',
        tags,
        summary: 'Send a test message',
        description: 'One attempt. The reply has the state `pending` if the attempt takes longer than 20 seconds.',
        params: ChannelPath,
        response: { 200: Delivery, ...problems(404, 409) },
      },
    },
    async ({ params, context }) => testChannel(context, params.channel_id),
  );

  app.post(
    `${LIST}/:channel_id/replay`,
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'replayNotificationChannelAPI',
        tags,
        summary: 'Send all failed deliveries of a channel again',
        description: 'Each keeps its event id. A replayed event arrives after later events of the same case.',
        params: ChannelPath,
        response: { 200: z.object({ replayed: z.int() }), ...problems(404) },
      },
    },
    async ({ params, context }) => replayChannel(context, params.channel_id),
  );
}
