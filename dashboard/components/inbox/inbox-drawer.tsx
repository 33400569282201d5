import { Badge, Button, Drawer, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { InboxEntry } from '../../../services/notifications/wire.js';
import { inboxQuery, markAllRead, markRead } from '../../queries/inbox.js';
import { useFullList } from '../full-list.js';
import { PageLink } from '../page.js';
import { EmptyState, ErrorState, PageSkeleton } from '../states.js';
import { Time } from '../time.js';
import { PreferencesDialog } from './preferences-dialog.js';

export function InboxDrawer({ onClose }: { onClose: () => void }) {
  const [isChoosing, choosing] = useDisclosure(false);
  const { items, error, refetch, more } = useFullList(inboxQuery);
  const readOne = useMutation(markRead);
  const readAll = useMutation(markAllRead);
  const newest = items?.[0];
  const failure = readOne.error ?? readAll.error;
  return (
    <Drawer opened onClose={onClose} title="Inbox" position="right" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Button variant="default" size="xs" onClick={choosing.open}>
            Preferences
          </Button>
          {newest && items.some(({ read_at: readAt }) => readAt === null) && (
            <Button variant="default" size="xs" loading={readAll.isPending} onClick={() => readAll.mutate(newest.entry_id)}>
              Mark all as read
            </Button>
          )}
        </Group>
        {error && <ErrorState error={error} retry={refetch} />}
        {failure && <ErrorState error={failure} />}
        {!items && !error && <PageSkeleton />}
        {items?.length === 0 && (
          <EmptyState title="No entries yet">
            <Text size="sm">Cases that are assigned to you, comments on them, and actions that need approval appear here.</Text>
          </EmptyState>
        )}
        {items && items.length > 0 && (
          <Stack component="ul" gap="xs" p={0} m={0} className="inbox-list" aria-label="Entries">
            {items.map((entry) => (
              <Entry
                key={entry.entry_id}
                entry={entry}
                onOpen={() => {
                  if (entry.read_at === null) readOne.mutate(entry.entry_id);
                  onClose();
                }}
                onRead={() => readOne.mutate(entry.entry_id)}
              />
            ))}
          </Stack>
        )}
        {more}
      </Stack>
      {isChoosing && <PreferencesDialog onClose={choosing.close} />}
    </Drawer>
  );
}

function Entry({ entry, onOpen, onRead }: { entry: InboxEntry; onOpen: () => void; onRead: () => void }) {
  const isUnread = entry.read_at === null;
  return (
    <li>
      <PageLink to={entry.path} onClick={onOpen} size="sm" fw={isUnread ? 600 : 400} className="breakable">
        {entry.title}
      </PageLink>
      <Group gap="xs">
        <Time at={entry.at} size="xs" />
        <Text span size="xs" c="dimmed">
          {entry.organization_code}
        </Text>
        {isUnread && (
          <>
            <Badge size="xs" variant="light" tt="none">
              Unread
            </Badge>
            <Button size="compact-xs" variant="subtle" aria-label={`Mark as read: ${entry.title}`} onClick={onRead}>
              Mark as read
            </Button>
          </>
        )}
      </Group>
    </li>
  );
}
