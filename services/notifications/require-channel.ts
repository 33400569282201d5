import type { Transaction } from '../../db/client.js';
import { type ChannelRow, findChannel, lockChannel } from '../../db/notifications/channels.js';
import { notFound } from '../errors.js';
import type { Channel } from './wire.js';

/** `scope`: the caller's organization; null: all. */
async function requireChannel(db: Transaction, scope: string | null, channelUuid: string): Promise<ChannelRow> {
  const channel = await findChannel(db, scope, channelUuid);
  if (!channel) throw notFound('notification channel with this id');
  return channel;
}

/** For a command that decides by the row: another command cannot change it meanwhile. */
export async function requireLockedChannel(db: Transaction, scope: string | null, channelUuid: string): Promise<ChannelRow> {
  // A caller without access must not wait for, or hold, a lock.
  await requireChannel(db, scope, channelUuid);
  await lockChannel(db, channelUuid);
  return requireChannel(db, scope, channelUuid);
}

/** The reply after a change. */
export async function readChannel(db: Transaction, channelUuid: string): Promise<Channel> {
  return toChannel(await requireChannel(db, null, channelUuid));
}

export function toChannel({ organizationUuid: _, ...channel }: ChannelRow): Channel {
  return channel;
}
