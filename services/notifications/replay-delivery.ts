import { findDelivery } from '../../db/notifications/deliveries.js';
import { type Context, inTransaction } from '../context.js';
import { conflict, notFound } from '../errors.js';
import { replayFailed } from './replay-failed.js';
import type { Delivery } from './wire.js';

export function replayDelivery(context: Context, deliveryUuid: string): Promise<Delivery> {
  return inTransaction(context, async (inside) => {
    const replayed = await replayFailed(inside, { deliveryUuid });
    const delivery = await findDelivery(inside.db, inside.by.organizationUuid, deliveryUuid);
    if (!delivery) throw notFound('delivery with this id');
    if (replayed === 0) throw conflict(`The delivery is ${delivery.state}. Only a failed delivery can be replayed.`);
    return delivery;
  });
}
