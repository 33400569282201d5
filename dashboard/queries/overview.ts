import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../api.js';

export const overviewQuery = (hours: number) =>
  queryOptions({
    queryKey: ['overview', hours],
    queryFn: () => unwrap(api.GET('/overview', { params: { query: { hours } } })),
    refetchInterval: 15_000,
  });
