import { type Context, inTransaction } from '../context.js';
import { replayFailed } from './replay-failed.js';
import { requireLockedChannel } from './require-channel.js';

export function replayChannel(context: Context, channelUuid: string): Promise<{ replayed: number }> {
  return inTransaction(context, async (inside) => {
    await requireLockedChannel(inside.db, inside.by.organizationUuid, channelUuid);
    return { replayed: await replayFailed(inside, { channelUuid }) };
  });
}
