import { z } from 'zod';
import { catalogue, requireContract } from '../../channels/catalogue.js';
import { type Channels, checkChannel } from '../../channels/kit/define.js';
import { DeliveryState } from '../../domain/notification/delivery.js';
import { RULE_EVENTS, RuleEvent } from '../../domain/notification/event.js';
import { Digest, QuietHours, SaveDigest, SaveQuietHours } from '../../domain/notification/schedule.js';
import { MAX_UNREAD } from '../../domain/notification/unread.js';
import { nameText, storable } from '../../domain/text.js';
import { Severity, Verdict } from '../../domain/verdict/evidence.js';
import { ConnectorField } from '../connections/wire.js';

const contracts: Channels = catalogue;
const ChannelKind = z.enum(Object.keys(contracts));

/** A kind of channel with the fields of its form. */
export const ChannelForm = z.object({
  kind: ChannelKind,
  title: z.string(),
  settings: z.array(ConnectorField),
  secrets: z.array(ConnectorField),
  receiver: z.string().describe('The setting that names the receiver.'),
  sends_digests: z.boolean(),
  has_signing_secret: z.boolean().describe('Whether the service creates a secret with which the receiver verifies each message.'),
});
export type ChannelForm = z.infer<typeof ChannelForm>;

const name = nameText(100).describe('Unique within the organization.');
const settings = z.record(z.string(), z.unknown());
const secrets = z.record(z.string(), z.string());

/** "slack: `channel`, `api_url`. …" */
function listFields(part: 'settings' | 'secrets'): string {
  const fields = Object.values(contracts).map(({ kind, [part]: { shape } }) => {
    const names = Object.keys(shape).map((field) => `\`${field}\``);
    return `${kind}: ${names.join(', ') || 'none'}.`;
  });
  return fields.join(' ');
}

export const CreateChannel = z
  .strictObject({
    organization_code: storable(32),
    name,
    kind: ChannelKind,
    settings: settings.describe(listFields('settings')),
    secrets: secrets.default({}).describe(`${listFields('secrets')} Never shown again.`),
  })
  .superRefine(({ kind, ...given }, context) => {
    const checked = checkChannel(requireContract(kind), given);
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

const digestTitles = Object.values(contracts).flatMap(({ title, sendsDigests }) => (sendsDigests ? [title] : []));

export const SaveRule = z.strictObject({
  name: nameText(100),
  channel_id: z.uuid(),
  events: z.array(RuleEvent).min(1).max(RULE_EVENTS.length),
  min_severity: Severity.nullable().default(null).describe('Only cases of at least this severity. null: every event.'),
  verdicts: z.array(Verdict).max(4).default([]).describe('Only cases with one of these verdicts. Empty: every event.'),
  assignee: storable(200).nullable().default(null).describe('Only cases of this person. null: every event.'),
  is_enabled: z.boolean().default(true),
  quiet_hours: SaveQuietHours.nullable().default(null).describe('Events wait until their end. null: none.'),
  digest: SaveDigest.nullable()
    .default(null)
    .describe(`Collects events in one message. Only for ${digestTitles.join(', ')}. null: each event at once.`),
  critical_at_once: z.boolean().default(false).describe('Events of critical cases wait neither for quiet hours nor for a digest.'),
});
export type SaveRule = z.infer<typeof SaveRule>;

export const CreateRule = SaveRule.extend({ organization_code: storable(32) });
export type CreateRule = z.infer<typeof CreateRule>;

export const Rule = z.object({
  ...SaveRule.shape,
  quiet_hours: QuietHours.nullable(),
  digest: Digest.nullable(),
  rule_id: z.uuid(),
  organization_code: z.string(),
  created_at: z.int(),
  modified_at: z.int(),
});
export type Rule = z.infer<typeof Rule>;

export const Delivery = z.object({
  delivery_id: z.uuid(),
  event_id: z.uuid().describe('Constant: each attempt and each replay sends the same id.'),
  event: z.string(),
  title: z.string(),
  organization_code: z.string(),
  channel_id: z.uuid(),
  channel: z.string(),
  state: DeliveryState.describe('`failed`: not delivered within a day. You can replay it.'),
  attempts: z.int(),
  next_attempt_at: z.int().nullable(),
  last_error: z.string().nullable(),
  created_at: z.int(),
  ended_at: z.int().nullable(),
});
export type Delivery = z.infer<typeof Delivery>;

export const InboxEntry = z.object({
  entry_id: z.uuid().describe('Later entries have higher ids.'),
  event_id: z.uuid(),
  event: z.string(),
  organization_code: z.string(),
  title: z.string(),
  path: z.string().describe('The page of the dashboard that shows more.'),
  at: z.int(),
  read_at: z.int().nullable(),
});
export type InboxEntry = z.infer<typeof InboxEntry>;

export const UnreadCount = z.object({ unread: z.int().describe(`At most ${MAX_UNREAD}.`) });

export const MarkRead = z.strictObject({
  through: z.uuid().optional().describe('The newest entry that you know: later ones stay unread. Default: all entries.'),
});
