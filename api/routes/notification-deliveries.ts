import { z } from 'zod';
import { findDelivery, listDeliveries, replayDeliveries } from '../../db/notifications/deliveries.js';
import { Delivery, DeliveryState } from '../../domain/notification/delivery.js';
import { conflict, notFound } from '../../services/errors.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['notifications'];
const LIST = '/platformapi/notification-deliveries';

export function notificationDeliveryRoutes(app: ZodApp, { database: { db }, runner }: RouteDeps): void {
  app.get(
    LIST,
    {
      config: { access: ['admin'] },
      schema: {
        operationId: 'getNotificationDeliveryListAPI',
        tags,
        summary: 'List deliveries with their state, attempts and last error, newest first',
        querystring: PageQuery.extend({ channel_id: z.uuid().optional(), state: DeliveryState.optional() }),
        response: { 200: pageSchema(Delivery), ...problems() },
      },
    },
    async ({ query, principal }) => {
      const filters = { channelUuid: query.channel_id, state: query.state };
      return toListReply(await listDeliveries(db, principal.organizationUuid, filters, pageRequest(query)));
    },
  );

  app.post(
    `${LIST}/:delivery_id/replay`,
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'replayNotificationDeliveryAPI',
        tags,
        summary: 'Send a failed delivery again, with its event id',
        params: z.object({ delivery_id: z.uuid() }),
        response: { 200: Delivery, ...problems(404, 409) },
      },
    },
    async ({ params, principal }) => {
      const { delivery_id: deliveryUuid } = params;
      const { replayed, channels } = await replayDeliveries(db, principal, { deliveryUuid });
      const delivery = await findDelivery(db, principal.organizationUuid, deliveryUuid);
      if (!delivery) throw notFound('delivery with this id');
      if (replayed === 0) throw conflict(`The delivery is ${delivery.state}. Only a failed delivery can be replayed.`);
      await runner.wakeChannels(channels);
      return delivery;
    },
  );
}
