import { z } from 'zod';

export const DeliveryState = z.enum(['pending', 'delivered', 'failed']);
export type DeliveryState = z.infer<typeof DeliveryState>;

export const DELIVER_FOR_SECONDS = 86_400;
export const EVENTS_KEPT_DAYS = 30;

/** The pause after a failed attempt: it doubles up to the maximum. */
export interface DeliveryBackoff {
  readonly baseMs: number;
  readonly maxMs: number;
}
export const DELIVERY_BACKOFF: DeliveryBackoff = { baseMs: 5_000, maxMs: 3_600_000 };

export function notifyWorkflowId(channelUuid: string): string {
  return `notify-${channelUuid}`;
}

/** Tells a waiting run that new deliveries are due. */
export const WAKE_SIGNAL = 'deliveriesDue';

export interface NotifyInput {
  readonly channelId: string;
}

export interface NotificationActivities {
  /** Sends the due deliveries of the channel. `nextInMs`: until the next one is due; null without pending deliveries. */
  deliverNotifications(input: NotifyInput): Promise<{ readonly nextInMs: number | null }>;
}
