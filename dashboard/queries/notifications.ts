import { queryOptions } from '@tanstack/react-query';
import type { DeliveryState } from '../../domain/notification/delivery.js';
import type { SaveRule } from '../../services/notifications/wire.js';
import { api, toBody, unwrap } from '../api.js';
import { change, type FormValue, fullList } from './kit.js';

const DELIVERY_PAGE_SIZE = 50;

export const channelsQuery = fullList(['settings', 'notification-channels'], (page) =>
  unwrap(api.GET('/notification-channels', { params: { query: page } })),
);
/** The kinds of channels with the fields of their forms. They change only with the version of the service. */
export const channelKindsQuery = queryOptions({
  queryKey: ['notification-channel-kinds'],
  queryFn: async () => (await unwrap(api.GET('/notification-channel-kinds'))).items,
  staleTime: Number.POSITIVE_INFINITY,
});
export const createChannel = change(['settings'], (channel: FormValue) =>
  unwrap(api.POST('/notification-channels', { body: toBody(channel) })),
);
const toChannel = (channel_id: string) => ({ params: { path: { channel_id } } });
export const testChannel = change(['settings'], (id: string) =>
  unwrap(api.POST('/notification-channels/{channel_id}/test', toChannel(id))),
);
export const enableChannel = change(['settings'], ({ channel_id, is_enabled }: { channel_id: string; is_enabled: boolean }) =>
  unwrap(api.PATCH('/notification-channels/{channel_id}', { ...toChannel(channel_id), body: { is_enabled } })),
);
export const replayChannel = change(['settings'], (id: string) =>
  unwrap(api.POST('/notification-channels/{channel_id}/replay', toChannel(id))),
);
export const rotateChannelSecret = change(['settings'], (id: string) =>
  unwrap(api.POST('/notification-channels/{channel_id}/rotate-secret', toChannel(id))),
);
export const deleteChannel = change(['settings'], (id: string) => unwrap(api.DELETE('/notification-channels/{channel_id}', toChannel(id))));

export const rulesQuery = fullList(['settings', 'notification-rules'], (page) =>
  unwrap(api.GET('/notification-rules', { params: { query: page } })),
);
export const createRule = change(['settings'], (body: SaveRule & { organization_code: string }) =>
  unwrap(api.POST('/notification-rules', { body })),
);
export const saveRule = (rule_id: string) =>
  change(['settings'], (body: SaveRule) => unwrap(api.PUT('/notification-rules/{rule_id}', { params: { path: { rule_id } }, body })));
export const deleteRule = change(['settings'], (rule_id: string) =>
  unwrap(api.DELETE('/notification-rules/{rule_id}', { params: { path: { rule_id } } })),
);

export const deliveriesQuery = (state: DeliveryState | null) =>
  fullList(['settings', 'notification-deliveries', state], (page) =>
    unwrap(api.GET('/notification-deliveries', { params: { query: { ...page, limit: DELIVERY_PAGE_SIZE, state: state ?? undefined } } })),
  );
export const replayDelivery = change(['settings'], (delivery_id: string) =>
  unwrap(api.POST('/notification-deliveries/{delivery_id}/replay', { params: { path: { delivery_id } } })),
);
