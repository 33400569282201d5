import { queryOptions } from '@tanstack/react-query';
import type { Connector } from '../../../domain/connection/connector.js';
import { api, type Page } from '../../api.js';

/** They change only with the version of the service. */
export const connectorsQuery = queryOptions({
  queryKey: ['connectors'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => (await api.get<Page<Connector>>('/connectors')).items,
});
