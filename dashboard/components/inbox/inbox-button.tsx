import { ActionIcon, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { MAX_UNREAD } from '../../../domain/notification/unread.js';
import { loadStyled } from '../../load-styled.js';
import { preferencesQuery, unreadQuery } from '../../queries/inbox.js';

/** Only for users who turned them on. */
const BrowserNotifications = lazy(() => import('./browser-notifications.js').then((module) => ({ default: module.BrowserNotifications })));
const InboxDrawer = lazy(() => loadStyled(() => import('./inbox-drawer.js')).then((module) => ({ default: module.InboxDrawer })));

/** The bell with the number of unread entries. The drawer is loaded when the user opens it. */
export function InboxButton() {
  const [isOpen, drawer] = useDisclosure(false);
  const unread = useQuery(unreadQuery).data?.unread ?? 0;
  const isShown = useQuery(preferencesQuery).data?.browser_notifications === true;
  const count = unread >= MAX_UNREAD ? `${MAX_UNREAD - 1}+` : String(unread);
  const label = unread === 0 ? 'Inbox, no unread entries' : `Inbox, ${count} unread`;
  return (
    <>
      <Tooltip label={label}>
        <ActionIcon variant="subtle" color="gray" aria-label={label} aria-haspopup="dialog" onClick={drawer.open} className="inbox-button">
          <IconBell size={20} stroke={1.7} />
          {unread > 0 && (
            <span className="unread-count" aria-hidden>
              {count}
            </span>
          )}
        </ActionIcon>
      </Tooltip>
      {isShown && (
        <Suspense>
          <BrowserNotifications />
        </Suspense>
      )}
      {isOpen && (
        <Suspense>
          <InboxDrawer onClose={drawer.close} />
        </Suspense>
      )}
    </>
  );
}
