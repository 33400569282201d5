import { setTimeout as delay } from 'node:timers/promises';
import { recordAudit } from '../../db/identity/audit.js';
import { newUuid } from '../../db/ids.js';
import { findDelivery } from '../../db/notifications/deliveries.js';
import { insertRoutedEvent } from '../../db/notifications/events.js';
import { insertDeliveries } from '../../db/notifications/routing.js';
import { type Context, inTransaction } from '../context.js';
import { conflict, notFound } from '../errors.js';
import { requireLockedChannel } from './require-channel.js';
import type { Delivery } from './wire.js';

const WAIT_MS = 20_000;
const POLL_MS = 200;

/** Sends an event to this channel only, with one attempt, and waits for its result. */
export async function testChannel(context: Context, channelUuid: string): Promise<Delivery> {
  const deliveryUuid = await addTest(context, channelUuid);
  const endsAtMs = Date.now() + WAIT_MS;
  for (;;) {
    const delivery = await findDelivery(context.db, context.by.organizationUuid, deliveryUuid);
    if (!delivery) throw notFound('notification channel with this id');
    if (delivery.state !== 'pending' || Date.now() > endsAtMs) return delivery;
    await delay(POLL_MS);
  }
}

function addTest(context: Context, channelUuid: string): Promise<string> {
  return inTransaction(context, async ({ db, by, now, runner, afterCommit }) => {
    const { organizationUuid, is_enabled: isEnabled } = await requireLockedChannel(db, by.organizationUuid, channelUuid);
    if (!isEnabled) throw conflict('The channel is disabled. Enable it first.');
    const eventUuid = newUuid();
    const data = { channel_id: channelUuid };
    const eventNo = await insertRoutedEvent(db, { eventUuid, organizationUuid, name: 'notification.test', data, at: now() });
    const added = { organizationUuid, eventNo, channelUuid, subjectUuid: eventUuid };
    const [deliveryUuid = ''] = await insertDeliveries(db, [added], { now: now(), forSeconds: 0 });
    await recordAudit(db, { by, organizationUuid, action: 'notification-channel.test', target: channelUuid, details: {} });
    afterCommit(() => runner.wakeChannels([channelUuid]));
    return deliveryUuid;
  });
}
