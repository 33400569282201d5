import type { PgClient } from '../../db/client.js';
import { type DueDelivery, leaseDelivery, promoteFirst } from '../../db/notifications/deliveries.js';

/** Longer than an attempt can take. After it, another worker takes the delivery. */
const LEASE_SECONDS = 30;

/** The delivery that has been due for the longest time. null: none is due. */
export async function claimDelivery(pg: PgClient, channelUuid: string): Promise<DueDelivery | null> {
  const due = await leaseDelivery(pg, channelUuid, LEASE_SECONDS);
  if (due !== null || !(await promoteFirst(pg, channelUuid))) return due;
  return leaseDelivery(pg, channelUuid, LEASE_SECONDS);
}
