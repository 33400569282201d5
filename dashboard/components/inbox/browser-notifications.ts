import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { InboxEntry } from '../../../services/notifications/wire.js';
import { markRead, newestEntriesQuery } from '../../queries/inbox.js';

export function canShowNotifications(): boolean {
  return 'Notification' in window && Notification.permission === 'granted';
}

/** Browsers accept this only as the answer to a click. */
export async function requestPermission(): Promise<boolean> {
  return 'Notification' in window && (await Notification.requestPermission()) === 'granted';
}

/** Shows unread entries that arrive while the page is open. */
export function BrowserNotifications(): null {
  const { data } = useQuery({ ...newestEntriesQuery, enabled: canShowNotifications() });
  const { mutate: read } = useMutation(markRead);
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
      read(entry.entry_id);
      void navigate({ href: entry.path });
    };
    for (const entry of data.items) if (entry.entry_id > before) show(entry, () => open(entry));
  }, [data, navigate, read]);
  return null;
}

/** The browser shows notifications with the same tag once, although each open tab asks for them. */
function show({ entry_id: tag, title }: InboxEntry, open: () => void): void {
  const notification = new Notification(title, { tag });
  notification.addEventListener('click', () => {
    notification.close();
    open();
  });
}
