import type { PgClient } from '../client.js';
import type { StoredSecret } from './channels.js';

/** A Slack channel with buttons. Its secrets are sealed. */
export interface SlackChannel {
  readonly organizationUuid: string;
  readonly channelUuid: string;
  readonly settings: Record<string, unknown>;
  readonly secrets: readonly StoredSecret[];
  /** Changes with the settings and the secrets. */
  readonly version: string;
}

/** The enabled Slack channels with an app-level token. */
export async function listSlackSockets(pg: PgClient): Promise<SlackChannel[]> {
  return pg<SlackChannel[]>`
    select organization_uuid as "organizationUuid", channel_uuid as "channelUuid", settings,
      json_agg(json_build_object('field', field, 'masterKeyId', master_key_id, 'wrappedKey', wrapped_key, 'ciphertext', ciphertext)) as secrets,
      md5(settings::text || string_agg(field || ciphertext, ' ' order by field)) as version
    from notification_channels join notification_secrets using (channel_uuid)
    where kind = 'slack' and is_enabled
    group by channel_uuid having bool_or(field = 'app_token')`;
}
