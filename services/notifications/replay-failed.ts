import { recordAudit } from '../../db/identity/audit.js';
import { type FailedDeliveries, reviveFailed } from '../../db/notifications/deliveries.js';
import { DELIVER_FOR_SECONDS } from '../../domain/notification/delivery.js';
import type { Context, Inside } from '../context.js';

/** Sends failed deliveries again for a day, with their event id. Returns their number. */
export async function replayFailed({ db, by, runner, afterCommit }: Inside<Context>, which: FailedDeliveries): Promise<number> {
  const revived = await reviveFailed(db, by.organizationUuid, which, DELIVER_FOR_SECONDS);
  const [first] = revived;
  if (!first) return 0;
  await recordAudit(db, {
    by,
    organizationUuid: first.organizationUuid,
    action: 'notification.replay',
    target: 'deliveryUuid' in which ? which.deliveryUuid : which.channelUuid,
    details: { deliveries: revived.length },
  });
  afterCommit(() => runner.wakeChannels([...new Set(revived.map(({ channelUuid }) => channelUuid))]));
  return revived.length;
}
