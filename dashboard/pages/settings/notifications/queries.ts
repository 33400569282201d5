import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../../api.js';

/** The kinds of channels with the fields of their forms. They change only with the version of the service. */
export const channelKindsQuery = queryOptions({
  queryKey: ['notification-channel-kinds'],
  queryFn: async () => (await unwrap(api.GET('/notification-channel-kinds'))).items,
  staleTime: Number.POSITIVE_INFINITY,
});
