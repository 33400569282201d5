import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { isUniqueViolation } from '../../db/client.js';
import { nowSeconds } from '../../db/columns.js';
import { newUuid } from '../../db/ids.js';
import {
  addTest,
  type ChannelRow,
  createChannel,
  deleteChannel,
  findChannel,
  findSecret,
  listChannels,
  replaceSecret,
  type StoredSecret,
  updateChannel,
} from '../../db/notifications/channels.js';
import { findDelivery, replayDeliveries } from '../../db/notifications/deliveries.js';
import type { Principal } from '../../domain/identity/identity.js';
import {
  CHANNELS_AT_MOST,
  Channel,
  type ChannelKind,
  ChannelWithSecret,
  CreateChannel,
  checkChannel,
  ROTATION_OVERLAP_SECONDS,
  UpdateChannel,
} from '../../domain/notification/channel.js';
import { Delivery } from '../../domain/notification/delivery.js';
import { conflict, invalid, notFound } from '../../services/errors.js';
import { requireOrganization } from '../../services/organizations/require-organization.js';
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
const SIGNING_SECRET = 'signing_secret';
const TEST_WAIT_MS = 20_000;
const TEST_POLL_MS = 200;

/** 256 random bits in the form of Standard Webhooks. */
function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

function toChannel({ organizationUuid: _, ...channel }: ChannelRow): Channel {
  return channel;
}

export function notificationChannelRoutes(app: ZodApp, { database: { db }, keyring, runner }: RouteDeps): void {
  async function find(principal: Principal, channelId: string): Promise<ChannelRow> {
    const channel = await findChannel(db, principal.organizationUuid, channelId);
    if (!channel) throw notFound('notification channel with this id');
    return channel;
  }

  function seal(value: string, place: { organizationUuid: string; channelUuid: string; field: string }): StoredSecret {
    const { organizationUuid, channelUuid: connectionUuid, field } = place;
    return { field, ...keyring.seal(value, { organizationUuid, connectionUuid, field }) };
  }

  function sealAll(values: Readonly<Record<string, string | undefined>>, owner: { organizationUuid: string; channelUuid: string }) {
    return Object.entries(values).flatMap(([field, value]) => (value === undefined ? [] : [seal(value, { ...owner, field })]));
  }

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
    async ({ body, principal }, reply) => {
      const { organization_code, ...given } = body;
      const organizationUuid = await requireOrganization(db, principal, organization_code);
      const channelUuid = newUuid();
      const owner = { organizationUuid, channelUuid };
      const { settings, secrets: entered } = requireChecked(given.kind, given);
      const signing = given.kind === 'webhook' ? { [SIGNING_SECRET]: newSigningSecret() } : {};
      const secrets = sealAll({ ...entered, ...signing }, owner);
      const created = await refuseTakenName(() => createChannel(db, principal, { ...given, settings, ...owner, secrets }));
      if (created === 'full') throw conflict(`An organization has at most ${CHANNELS_AT_MOST} channels. Delete one first.`);
      return reply.status(201).send({ ...toChannel(created), signing_secret: signing[SIGNING_SECRET] ?? null });
    },
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
    async ({ params, body, principal }) => {
      const channel = await find(principal, params.channel_id);
      const { settings: _, secrets: entered, ...update } = body;
      // New settings could send the stored secrets to another host. A webhook sends only signatures.
      if (body.settings === undefined && entered !== undefined)
        throw invalid([{ pointer: '#/settings', detail: 'Send the settings together with the secrets.' }]);
      const fields = body.settings === undefined ? null : requireChecked(channel.kind, { settings: body.settings, secrets: entered ?? {} });
      const changed = await refuseTakenName(() =>
        updateChannel(db, principal, channel, {
          ...update,
          ...(fields === null ? {} : { settings: fields.settings }),
          ...(fields === null || channel.kind === 'webhook'
            ? {}
            : { secrets: sealAll(fields.secrets, { organizationUuid: channel.organizationUuid, channelUuid: channel.channel_id }) }),
        }),
      );
      await runner.wakeChannels([params.channel_id]);
      return toChannel(changed);
    },
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
    async ({ params, principal }, reply) => {
      if (!(await deleteChannel(db, principal, params.channel_id))) throw notFound('notification channel with this id');
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
    async ({ params, principal }) => {
      const channel = await find(principal, params.channel_id);
      const { organizationUuid, channel_id: channelUuid } = channel;
      const stored = await findSecret(db, channelUuid, SIGNING_SECRET);
      if (!stored) throw conflict('Only a webhook has a signing secret. Update the channel to enter other secrets again.');
      const { field, ...sealed } = stored;
      const previous = keyring.open(sealed, { organizationUuid, connectionUuid: channelUuid, field });
      const secret = newSigningSecret();
      const changed = await replaceSecret(db, principal, channel, {
        current: seal(secret, { organizationUuid, channelUuid, field: SIGNING_SECRET }),
        previous: seal(previous, { organizationUuid, channelUuid, field: `previous_${SIGNING_SECRET}` }),
        previousUntil: nowSeconds() + ROTATION_OVERLAP_SECONDS,
      });
      return { ...toChannel(changed), signing_secret: secret };
    },
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
    async ({ params, principal }) => {
      const channel = await find(principal, params.channel_id);
      if (!channel.is_enabled) throw conflict('The channel is disabled. Enable it first.');
      const deliveryId = await addTest(db, principal, channel);
      await runner.wakeChannels([channel.channel_id]);
      const endsAtMs = Date.now() + TEST_WAIT_MS;
      for (;;) {
        const delivery = await findDelivery(db, principal.organizationUuid, deliveryId);
        if (!delivery) throw notFound('notification channel with this id');
        if (delivery.state !== 'pending' || Date.now() > endsAtMs) return delivery;
        await delay(TEST_POLL_MS);
      }
    },
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
    async ({ params, principal }) => {
      const { channel_id: channelUuid } = await find(principal, params.channel_id);
      const { replayed, channels } = await replayDeliveries(db, principal, { channelUuid });
      await runner.wakeChannels(channels);
      return { replayed };
    },
  );
}

function requireChecked(kind: ChannelKind, given: { settings: unknown; secrets: unknown }) {
  const checked = checkChannel(kind, given);
  if ('issues' in checked) throw invalid(checked.issues.map(({ path, message }) => ({ pointer: `#/${path.join('/')}`, detail: message })));
  return checked;
}

async function refuseTakenName<Saved>(save: () => Promise<Saved>): Promise<Saved> {
  try {
    return await save();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw conflict('The organization already has a notification channel with this name. Choose another name.', {
      errors: [{ pointer: '#/name', detail: 'name: is taken.' }],
    });
  }
}
