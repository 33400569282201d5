import { Badge } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Item } from '../../api.js';
import type { Column } from '../../components/data-table.js';
import { useFullList } from '../../components/full-list.js';
import { ErrorState } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { endSession, sessionsQuery } from '../../queries/users.js';
import { ListSection, RowButton } from './list-section.js';

/** The open sessions of the organization's users; for an analyst only the own ones. */
export function UserSessions() {
  const list = useFullList(sessionsQuery);
  const end = useMutation(endSession);
  const columns: Column<Item<'/sessions'>>[] = [
    { key: 'name', title: 'Name', render: (row) => row.name },
    { key: 'client', title: 'Browser', render: (row) => row.client },
    { key: 'created_at', title: 'Signed in', render: (row) => <Time at={row.created_at} /> },
    { key: 'last_seen_at', title: 'Last seen', render: (row) => <Time at={row.last_seen_at} /> },
    { key: 'ends_at', title: 'Ends', render: (row) => <Time at={row.ends_at} /> },
    {
      key: 'actions',
      title: '',
      render: (row) =>
        row.is_current ? (
          <Badge variant="outline" color="gray" tt="none">
            This browser
          </Badge>
        ) : (
          <RowButton isDanger label="End" name={`End a session of ${row.name}`} onClick={() => end.mutate(row.session_uuid)} />
        ),
    },
  ];
  return (
    <ListSection
      title="Sessions"
      purpose="Browsers in which people are signed in. End a session that you do not know."
      label="Sessions"
      list={list}
      columns={columns}
      getKey={({ session_uuid }) => session_uuid}
      empty="No open sessions"
    >
      {end.error && <ErrorState error={end.error} />}
    </ListSection>
  );
}
