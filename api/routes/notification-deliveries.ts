import { z } from 'zod';
import { listDeliveries } from '../../db/notifications/deliveries.js';
import { DeliveryState } from '../../domain/notification/delivery.js';
import { replayDelivery } from '../../services/notifications/replay-delivery.js';
import { Delivery } from '../../services/notifications/wire.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['notifications'];
const LIST = '/platformapi/notification-deliveries';

export function notificationDeliveryRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
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
    async ({ params, context }) => replayDelivery(context, params.delivery_id),
  );
}
