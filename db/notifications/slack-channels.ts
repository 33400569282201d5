import type { PgClient } from '../client.js';
import type { StoredSecret } from './channels.js';

/** A Slack channel with buttons. Its secrets are sealed. */
export interface SlackChannel {
  readonly organizationUuid: string;
  readonly organizationCode: string;
  readonly channelUuid: string;
  readonly settings: Record<string, unknown>;
  readonly secrets: readonly StoredSecret[];
}

/** The enabled Slack channels with an app-level token, oldest first. */
export async function listSlackChannels(pg: PgClient): Promise<SlackChannel[]> {
  return pg<SlackChannel[]>`
    select organization_uuid as "organizationUuid", organization_code as "organizationCode", channel_uuid as "channelUuid", settings,
      json_agg(json_build_object('field', field, 'masterKeyId', master_key_id, 'wrappedKey', wrapped_key, 'ciphertext', ciphertext)) as secrets
    from notification_channels join notification_secrets using (channel_uuid) join organizations using (organization_uuid)
    where kind = 'slack' and is_enabled
    group by channel_uuid, organization_code having bool_or(field = 'app_token') order by channel_uuid`;
}

/** The organization of the channel that sent this message with the correlation key. Only these channels can have sent it. */
export async function findSender(
  pg: PgClient,
  { channelUuids, correlationKey, channel, ts }: { channelUuids: readonly string[]; correlationKey: string; channel: string; ts: string },
): Promise<string | null> {
  const [sender] = await pg<{ organizationUuid: string }[]>`
    select organization_uuid as "organizationUuid"
    from notification_channels join notification_messages using (channel_uuid)
    where kind = 'slack' and is_enabled and correlation_key = ${correlationKey} and reference->>'channel' = ${channel} and reference->>'ts' = ${ts}
      and channel_uuid = any(${[...channelUuids]}::uuid[])`;
  return sender?.organizationUuid ?? null;
}
