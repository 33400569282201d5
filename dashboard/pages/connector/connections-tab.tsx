import { Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Connection } from '../../../domain/connection/connection.js';
import type { Connector } from '../../../domain/connection/connector.js';
import type { RemoteAgent } from '../../../domain/connection/remote-agent.js';
import { api } from '../../api.js';
import { Confirm } from '../../components/confirm.js';
import { EmptyState, ErrorState, PageSkeleton } from '../../components/states.js';
import { useWholeList } from '../../components/whole-list.js';
import { useIsAdmin } from '../../session.js';
import { type ConnectionAction, ConnectionCard } from './connection-card.js';
import { ConnectionForm } from './connection-form.js';
import { Reconnect } from './reconnect.js';
import { ConnectionTest } from './test-report.js';

/** What is being done, to which connection. */
type Doing = { readonly action: 'create' } | { readonly action: ConnectionAction; readonly connection: Connection };

export function ConnectionsTab({ connector, marked }: { connector: Connector; marked: string | undefined }) {
  const isAdmin = useIsAdmin();
  const queryClient = useQueryClient();
  const [doing, setDoing] = useState<Doing | null>(null);
  const { items, error, refetch, more } = useWholeList<Connection>('connections', '/connections', { connector: connector.connector });
  const agents = useWholeList<RemoteAgent>('settings', '/remote-agents');
  const close = () => {
    setDoing(null);
    return queryClient.invalidateQueries({ queryKey: ['connections'] });
  };
  const connect = <Button onClick={() => setDoing({ action: 'create' })}>Connect</Button>;
  return (
    <Stack>
      {error && <ErrorState error={error} again={refetch} />}
      {!items && !error && <PageSkeleton />}
      {items?.length === 0 && (
        <EmptyState title="Nothing is connected yet">
          <Text size="sm">
            {isAdmin
              ? 'Have the credentials of the Overview at hand; whether they work is tested at once.'
              : 'An admin can connect an organization here.'}
          </Text>
          {isAdmin && connect}
        </EmptyState>
      )}
      {isAdmin && items && items.length > 0 && <Group justify="flex-end">{connect}</Group>}
      {items?.map((connection) => (
        <ConnectionCard
          key={connection.connection_id}
          connection={connection}
          agent={agents.items?.find(({ agent_id }) => agent_id === connection.remote_agent)}
          isMarked={connection.connection_id === marked}
          isAdmin={isAdmin}
          onAction={(action) => setDoing({ action, connection })}
        />
      ))}
      {more}
      {doing && (
        <Dialog
          connector={connector}
          agents={agents.items ?? []}
          doing={doing}
          onClose={close}
          onTest={(connection) => setDoing({ action: 'test', connection })}
        />
      )}
    </Stack>
  );
}

function Dialog(props: {
  connector: Connector;
  agents: readonly RemoteAgent[];
  doing: Doing;
  onClose: () => Promise<void>;
  onTest: (connection: Connection) => void;
}) {
  const { connector, agents, doing, onClose, onTest } = props;
  if (doing.action === 'create')
    return <ConnectionForm connector={connector} agents={agents} connection={null} onClose={onClose} onSaved={onTest} />;
  const { connection } = doing;
  const path = `/connections/${connection.connection_id}`;
  const action: ConnectionAction = doing.action;
  switch (action) {
    case 'edit':
      return <ConnectionForm connector={connector} agents={agents} connection={connection} onClose={onClose} onSaved={onTest} />;
    case 'test':
      return <ConnectionTest connection={connection} onClose={onClose} />;
    case 'reconnect':
      return <Reconnect connector={connector} connection={connection} onClose={onClose} />;
    case 'make-default':
      return (
        <Confirm
          opened
          title={`Make ${connection.instance_name} the default`}
          action="Make default"
          color="blue"
          onConfirm={() => api.patch(path, { is_default: true })}
          onClose={onClose}
        >
          <Text size="sm">
            Investigations of {connection.organization_code} that begin from now on use this connection in place of the present default.
          </Text>
        </Confirm>
      );
    case 'delete':
      return (
        <Confirm opened title={`Delete ${connection.instance_name}`} action="Delete" onConfirm={() => api.delete(path)} onClose={onClose}>
          <Text size="sm">
            The connection and its credentials are deleted for good; nothing changes at the third party. What is in use is refused.
          </Text>
        </Confirm>
      );
  }
}
