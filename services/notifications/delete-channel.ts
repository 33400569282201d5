import { recordAudit } from '../../db/identity/audit.js';
import { deleteChannelRow } from '../../db/notifications/channels.js';
import { type Context, inTransaction } from '../context.js';
import { requireLockedChannel } from './require-channel.js';

/** Its rules and deliveries go with it. */
export function deleteChannel(context: Context, channelUuid: string): Promise<void> {
  return inTransaction(context, async ({ db, by }) => {
    const { organizationUuid, name } = await requireLockedChannel(db, by.organizationUuid, channelUuid);
    await deleteChannelRow(db, channelUuid);
    await recordAudit(db, { by, organizationUuid, action: 'notification-channel.delete', target: channelUuid, details: { name } });
  });
}
