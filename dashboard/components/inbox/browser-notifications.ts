import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { InboxEntry } from '../../../services/notifications/wire.js';
import { api, unwrap } from '../../api.js';
import { markRead, preferencesQuery } from './queries.js';

/** More new entries at once are only counted at the bell. */
const SHOWN_AT_ONCE = 5;

export function canShowNotifications(): boolean {
  return 'Notification' in window && Notification.permission === 'granted';
}

/** Browsers accept this only as the answer to a click. */
export async function requestPermission(): Promise<boolean> {
  return 'Notification' in window && (await Notification.requestPermission()) === 'granted';
}

/** Shows unread entries that arrive while the page is open. */
export function useBrowserNotifications(): void {
  const { data: preferences } = useQuery(preferencesQuery);
  const isOn = preferences?.browser_notifications === true && canShowNotifications();
  const { data } = useQuery({
    queryKey: ['inbox', 'newest'],
    queryFn: () => unwrap(api.GET('/inbox', { params: { query: { unread: true, limit: SHOWN_AT_ONCE } } })),
    enabled: isOn,
  });
  const newest = useRef<string | null>(null);
  const navigate = useNavigate();
  useEffect(() => {
    if (!data) return;
    const before = newest.current;
    newest.current = [before ?? '', ...data.items.map(({ entry_id: id }) => id)].toSorted().at(-1) ?? '';
    // The entries of the first load are not new.
    if (before === null) return;
    const open = (entry: InboxEntry) => {
      window.focus();
      void markRead(entry.entry_id).catch(() => {});
      void navigate({ href: entry.path });
    };
    for (const entry of data.items) if (entry.entry_id > before) show(entry, () => open(entry));
  }, [data, navigate]);
}

/** The browser shows notifications with the same tag once, although each open tab asks for them. */
function show({ entry_id: tag, title }: InboxEntry, open: () => void): void {
  const notification = new Notification(title, { tag });
  notification.addEventListener('click', () => {
    notification.close();
    open();
  });
}
