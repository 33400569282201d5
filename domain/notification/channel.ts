import { z } from 'zod';
import { storable, text } from '../text.js';

const HttpsUrl = storable(2000)
  .refine((url) => URL.canParse(url) && new URL(url).protocol === 'https:', 'must begin with https://')
  .refine((url) => !URL.canParse(url) || (new URL(url).username === '' && new URL(url).password === ''), 'must not contain a password');
const Secret = text(1000);
const details = z.boolean().default(true).describe('Whether a message about a proposal states its action, target, requester and expiry.');

/** Each kind of channel: its settings, and the secrets that an admin enters. Secrets are stored sealed, apart from the settings. */
export const CHANNELS = {
  webhook: {
    label: 'Webhook',
    settings: z.strictObject({ url: HttpsUrl.describe('Receives a POST for each event.') }),
    secrets: z.strictObject({}),
  },
  email: {
    label: 'E-mail',
    settings: z.strictObject({
      host: text(253).describe('The mail server.'),
      port: z.int().min(1).max(65_535).default(465),
      starttls: z
        .boolean()
        .default(false)
        .describe('The connection begins without TLS, usually on port 587. Default: TLS from the first byte.'),
      from: z.email().max(254),
      to: z.array(z.email().max(254)).min(1).max(20),
      username: text(200).optional(),
      details,
    }),
    secrets: z.strictObject({ password: Secret.optional() }),
  },
  slack: {
    label: 'Slack',
    settings: z.strictObject({
      channel: text(80).describe('Name or id of the Slack channel.'),
      api_url: HttpsUrl.default('https://slack.com/api'),
      details,
    }),
    secrets: z.strictObject({
      bot_token: Secret.describe('A bot token with the scope chat:write.'),
      app_token: Secret.optional().describe('An app-level token with the scope connections:write, for buttons by Socket Mode.'),
    }),
  },
  teams: {
    label: 'Microsoft Teams',
    settings: z.strictObject({
      tenant_id: z.uuid().describe('The directory of the bot.'),
      app_id: z.uuid().describe('The application of the bot.'),
      channel_id: text(200).describe('The id of the Teams channel, such as 19:…@thread.tacv2.'),
      service_url: HttpsUrl.default('https://smba.trafficmanager.net/teams/'),
      login_url: HttpsUrl.default('https://login.microsoftonline.com'),
      details,
    }),
    secrets: z.strictObject({ app_password: Secret.describe('The client secret of the application.') }),
  },
  pagerduty: {
    label: 'PagerDuty',
    settings: z.strictObject({ url: HttpsUrl.default('https://events.pagerduty.com/v2/enqueue') }),
    secrets: z.strictObject({ routing_key: Secret.describe('The integration key of the service.') }),
  },
} as const;

const KINDS = ['webhook', 'email', 'slack', 'teams', 'pagerduty'] as const satisfies readonly (keyof typeof CHANNELS)[];
export const ChannelKind = z.enum(KINDS);
export type ChannelKind = z.infer<typeof ChannelKind>;

/** A receiver needs time to take over a new secret: until then each message has the signatures of both. */
export const ROTATION_OVERLAP_SECONDS = 86_400;
export const CHANNELS_AT_MOST = 100;

const name = text(100).describe('Unique within the organization.');
const settings = z.record(z.string(), z.unknown());
const secrets = z.record(z.string(), z.string());

/** Checks the fields against their kind, with the place of each error. */
export function checkChannel(
  kind: ChannelKind,
  given: { readonly settings: unknown; readonly secrets: unknown },
): { settings: Record<string, unknown>; secrets: Record<string, string> } | { issues: { path: PropertyKey[]; message: string }[] } {
  const parsed = { settings: CHANNELS[kind].settings.safeParse(given.settings), secrets: CHANNELS[kind].secrets.safeParse(given.secrets) };
  if (parsed.settings.success && parsed.secrets.success) {
    const kept = Object.entries(parsed.secrets.data).flatMap(([field, value]) => (typeof value === 'string' ? [[field, value]] : []));
    return { settings: parsed.settings.data, secrets: Object.fromEntries(kept) };
  }
  const issues = Object.entries(parsed).flatMap(([part, { error }]) =>
    (error?.issues ?? []).map(({ path, message }) => ({ path: [part, ...path], message })),
  );
  return { issues };
}

export const CreateChannel = z
  .strictObject({
    organization_code: storable(32),
    name,
    kind: ChannelKind,
    settings: settings.describe(
      'webhook: `url`. email: `host`, `port`, `from`, `to`, `username`. slack: `channel`. teams: `tenant_id`, `app_id`, `channel_id`. pagerduty: none.',
    ),
    secrets: secrets
      .default({})
      .describe('email: `password`. slack: `bot_token`, `app_token`. teams: `app_password`. pagerduty: `routing_key`. Never shown again.'),
  })
  .superRefine(({ kind, ...given }, context) => {
    const checked = checkChannel(kind, given);
    if ('issues' in checked) for (const { path, message } of checked.issues) context.addIssue({ code: 'custom', path, message });
  });
export type CreateChannel = z.infer<typeof CreateChannel>;

export const UpdateChannel = z.strictObject({
  name: name.optional(),
  settings: settings.optional().describe('Replaces all settings. Enter the secrets of the channel again with them.'),
  secrets: secrets.optional(),
  is_enabled: z.boolean().optional().describe('A disabled channel gets no new events. Its pending deliveries wait.'),
});
export type UpdateChannel = z.infer<typeof UpdateChannel>;

export const Channel = z.object({
  channel_id: z.uuid(),
  organization_code: z.string(),
  name: z.string(),
  kind: ChannelKind,
  settings,
  is_enabled: z.boolean(),
  pending: z.int().describe('Deliveries that are not delivered yet.'),
  failed: z.int().describe('Deliveries that failed for a day. You can replay them.'),
  previous_secret_valid_until: z.int().nullable().describe('The end of the overlap after a rotation of the signing secret.'),
  created_at: z.int(),
  modified_at: z.int(),
});
export type Channel = z.infer<typeof Channel>;

export const ChannelWithSecret = Channel.extend({
  signing_secret: z.string().nullable().describe('Of a webhook, shown only once. The receiver verifies signatures with it.'),
});
export type ChannelWithSecret = z.infer<typeof ChannelWithSecret>;

/** The receiver, for a list. */
export function describeReceiver({ kind, settings: given }: Pick<Channel, 'kind' | 'settings'>): string {
  const field = { webhook: 'url', email: 'to', slack: 'channel', teams: 'channel_id', pagerduty: 'url' }[kind];
  return [given[field]].flat().join(', ');
}
