import type { Transaction } from '../../db/client.js';
import { type ChannelRow, findChannel } from '../../db/notifications/channels.js';
import { notFound } from '../errors.js';
import type { Channel } from './wire.js';

/** `scope`: the caller's organization; null: all. */
export async function requireChannel(db: Transaction, scope: string | null, channelUuid: string): Promise<ChannelRow> {
  const channel = await findChannel(db, scope, channelUuid);
  if (!channel) throw notFound('notification channel with this id');
  return channel;
}

/** The reply after a change. */
export async function readChannel(db: Transaction, channelUuid: string): Promise<Channel> {
  return toChannel(await requireChannel(db, null, channelUuid));
}

export function toChannel({ organizationUuid: _, ...channel }: ChannelRow): Channel {
  return channel;
}
