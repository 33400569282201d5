import type { PgClient } from '../client.js';

/** The reference of the sent message with this correlation key; null where there is none. */
export async function findMessage(pg: PgClient, channelUuid: string, correlationKey: string): Promise<unknown> {
  const [row] = await pg<{ reference: unknown }[]>`
    select reference from notification_messages where channel_uuid = ${channelUuid} and correlation_key = ${correlationKey}`;
  return row?.reference ?? null;
}

export async function keepMessage(
  pg: PgClient,
  channelUuid: string,
  correlationKey: string,
  reference: Record<string, unknown>,
): Promise<void> {
  await pg`
    insert into notification_messages (channel_uuid, correlation_key, reference, sent_at)
    values (${channelUuid}, ${correlationKey}, ${JSON.stringify(reference)}::text::jsonb, now())
    on conflict (channel_uuid, correlation_key) do update set reference = excluded.reference, sent_at = excluded.sent_at`;
}
