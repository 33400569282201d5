import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api.js';

/** The first part of each key is the topic that the server announces. */
export const unreadQuery = queryOptions({
  queryKey: ['inbox', 'unread-count'],
  queryFn: () => unwrap(api.GET('/inbox/unread-count')),
});

export const preferencesQuery = queryOptions({
  queryKey: ['inbox', 'preferences'],
  queryFn: () => unwrap(api.GET('/inbox/preferences')),
});

/** Marks an entry as read; a lost request leaves it unread. */
export async function markRead(entryId: string): Promise<void> {
  await unwrap(api.POST('/inbox/{entry_id}/read', { params: { path: { entry_id: entryId } } }));
}
