import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { toOwnPath } from '../domain/pages.js';
import type { Session } from '../services/sessions/wire.js';
import { sessionQuery } from './queries/session.js';

export function useSession(): Session {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('You are not signed in. Reload the page.');
  return data;
}

/** Opens the requested page after a sign-in. */
export function useEnter(to: string | undefined): (session: Session) => Promise<void> {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return async (session) => {
    queryClient.clear();
    queryClient.setQueryData(sessionQuery.queryKey, session);
    await navigate({ href: toOwnPath(to) });
  };
}

/** Hides actions that the role does not allow; the API enforces the role. */
export function useIsAdmin(): boolean {
  return useSession().role === 'admin';
}

/** Loads a new document, so that no data of the session stays in memory. */
export function redirectTo(address: string): void {
  window.location.assign(address);
}
