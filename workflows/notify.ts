import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import { type NotificationActivities, type NotifyInput, WAKE_SIGNAL } from '../domain/notification/delivery.js';

const { deliverNotifications } = proxyActivities<NotificationActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
  summary: 'Send the due notifications',
});

const RUN_FOR_MS = 3_600_000;
/** The history of a run stays short. The router starts the next run. */
const MAX_PASSES = 300;

/** Delivers the notifications of one channel. Ends without pending ones, or after an hour, so that a new build takes over. */
export async function notify(input: NotifyInput): Promise<void> {
  let isWoken = false;
  setHandler(defineSignal(WAKE_SIGNAL), () => {
    isWoken = true;
  });
  const endsAtMs = Date.now() + RUN_FOR_MS;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    isWoken = false;
    const { nextInMs } = await deliverNotifications(input);
    if (isWoken) continue;
    const leftMs = endsAtMs - Date.now();
    if (nextInMs === null || leftMs <= 0) return;
    await condition(() => isWoken, Math.max(1, Math.min(nextInMs, leftMs)));
  }
}
