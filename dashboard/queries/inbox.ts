import { queryOptions } from '@tanstack/react-query';
import type { InboxPreferences } from '../../domain/notification/inbox.js';
import { api, unwrap } from '../api.js';
import { change, fullList } from './kit.js';

const SHOWN_AT_ONCE = 5;
const PAGE_SIZE = 50;

export const inboxQuery = fullList(['inbox', 'entries'], ({ cursor }) =>
  unwrap(api.GET('/inbox', { params: { query: { cursor, limit: PAGE_SIZE } } })),
);

/** The browser shows at most this many at once; the bell counts the others. */
export const newestEntriesQuery = queryOptions({
  queryKey: ['inbox', 'newest'],
  queryFn: () => unwrap(api.GET('/inbox', { params: { query: { unread: true, limit: SHOWN_AT_ONCE } } })),
});

export const unreadQuery = queryOptions({ queryKey: ['inbox', 'unread-count'], queryFn: () => unwrap(api.GET('/inbox/unread-count')) });

export const preferencesQuery = queryOptions({ queryKey: ['inbox', 'preferences'], queryFn: () => unwrap(api.GET('/inbox/preferences')) });

export const savePreferences = change(['inbox'], (body: InboxPreferences) => unwrap(api.PUT('/inbox/preferences', { body })));

export const markRead = change(['inbox'], (entry_id: string) =>
  unwrap(api.POST('/inbox/{entry_id}/read', { params: { path: { entry_id } } })),
);

/** Entries that arrive meanwhile stay unread. */
export const markAllRead = change(['inbox'], (through: string) => unwrap(api.POST('/inbox/read', { body: { through } })));
