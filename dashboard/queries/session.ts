import { queryOptions } from '@tanstack/react-query';
import type { Session } from '../../services/sessions/wire.js';
import { ApiProblem, api, unwrap } from '../api.js';

/** null: no valid session. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  queryFn: async (): Promise<Session | null> => {
    try {
      return await unwrap(api.GET('/session'));
    } catch (error) {
      if (error instanceof ApiProblem && (error.status === 401 || error.status === 403)) return null;
      throw error;
    }
  },
});
