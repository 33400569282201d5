import type { PgClient } from '../../db/client.js';
import { blockChannel, type DueDelivery, recordAttempt } from '../../db/notifications/deliveries.js';
import { DELIVERY_BACKOFF, type DeliveryBackoff } from '../../domain/notification/delivery.js';
import { clip } from '../../domain/text.js';
import { backoffMs } from '../../platform/backoff.js';

interface Failure {
  readonly reason: string;
  /** The receiver asked for a pause of the whole channel. */
  readonly pauseSeconds: number | null;
}

/** Records an attempt: the delivery ends, or is due again later. null: the receiver accepted the message. */
export async function endDelivery(
  pg: PgClient,
  due: DueDelivery,
  failure: Failure | null,
  backoff: DeliveryBackoff = DELIVERY_BACKOFF,
): Promise<void> {
  if (failure === null) return recordAttempt(pg, due, { ok: true });
  const { reason, pauseSeconds } = failure;
  if (pauseSeconds !== null) await blockChannel(pg, due.channelUuid, pauseSeconds);
  // Jitter, so that the retries of an outage do not arrive together.
  const retryInMs = Math.ceil(backoffMs(due.attempts, backoff) * (0.75 + Math.random() / 4));
  await recordAttempt(pg, due, { ok: false, error: clip(reason, 500), retryInMs });
}
