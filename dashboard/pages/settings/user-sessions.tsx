import { Badge, Button, Stack, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { UserSession } from '../../../services/sessions/wire.js';
import { api, unwrap } from '../../api.js';
import type { Column } from '../../components/data-table.js';
import { useFullList } from '../../components/full-list.js';
import { Time } from '../../components/time.js';
import { ListSection } from './list-section.js';

function createColumns(onEnd: (session: UserSession) => void): Column<UserSession>[] {
  return [
    { header: 'Name', accessorKey: 'name' },
    { header: 'Browser', accessorKey: 'client' },
    { header: 'Signed in', accessorKey: 'created_at', cell: ({ row }) => <Time at={row.original.created_at} /> },
    { header: 'Last seen', accessorKey: 'last_seen_at', cell: ({ row }) => <Time at={row.original.last_seen_at} /> },
    { header: 'Ends', accessorKey: 'ends_at', cell: ({ row }) => <Time at={row.original.ends_at} /> },
    { id: 'actions', header: '', cell: ({ row }) => <EndSession session={row.original} onEnd={onEnd} /> },
  ];
}

function EndSession({ session, onEnd }: { session: UserSession; onEnd: (session: UserSession) => void }) {
  if (session.is_current)
    return (
      <Badge variant="outline" color="gray" tt="none">
        This browser
      </Badge>
    );
  return (
    <Button size="compact-xs" variant="outline" color="red" onClick={() => onEnd(session)} aria-label={`End a session of ${session.name}`}>
      End
    </Button>
  );
}

/** The open sessions of the organization's users; for an analyst only the own ones. */
export function UserSessions() {
  const list = useFullList(['settings', 'sessions'], (page) => unwrap(api.GET('/sessions', { params: { query: page } })));
  const queryClient = useQueryClient();
  const end = async ({ session_uuid }: UserSession) => {
    await unwrap(api.DELETE('/sessions/{session_id}', { params: { path: { session_id: session_uuid } } }));
    await queryClient.invalidateQueries({ queryKey: ['settings'] });
  };
  return (
    <Stack gap="xs">
      <Title order={3} fz="md">
        Sessions
      </Title>
      <ListSection
        purpose="Browsers in which people are signed in. End a session that you do not know."
        label="Sessions"
        list={list}
        columns={createColumns((session) => void end(session))}
        getKey={({ session_uuid }) => session_uuid}
        empty="No open sessions"
        create={null}
      />
    </Stack>
  );
}
