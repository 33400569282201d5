import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api.js';

/** Connectors change only with the version of the service, so they never become stale. */
export const connectorsQuery = queryOptions({
  queryKey: ['connectors'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => (await unwrap(api.GET('/connectors'))).items,
});
