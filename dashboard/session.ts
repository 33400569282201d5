import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Session } from '../domain/identity/identity.js';
import { ApiProblem, api } from './api.js';

/** null: nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  queryFn: async (): Promise<Session | null> => {
    try {
      return await api.get<Session>('/session');
    } catch (error) {
      if (error instanceof ApiProblem && (error.status === 401 || error.status === 403)) return null;
      throw error;
    }
  },
});

/** Who is signed in; pages are shown only to somebody who is. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('Nobody is signed in.');
  return data;
}

/** What a role may not do is not shown; the API refuses it all the same. */
export function useIsAdmin(): boolean {
  return useSession().role === 'admin';
}

/** To the sign-in by a new page: nothing of what was shown stays in memory. */
export function leave(address: string): void {
  window.location.assign(address);
}
