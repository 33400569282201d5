import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { RemoteAgent } from '../../../services/agents/wire.js';
import type { Connection, Connector } from '../../../services/connections/wire.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { useFullList } from '../../components/full-list.js';
import { EmptyState, ErrorState, PageSkeleton } from '../../components/states.js';
import { connectionsQuery, credentialLinksQuery, deleteConnection, makeDefault, remoteAgentsQuery } from '../../queries/connections.js';
import { useIsAdmin } from '../../session.js';
import { type ConnectionAction, ConnectionCard } from './connection-card.js';
import { ConnectionForm } from './connection-form.js';
import { AskForCredentials, PromisedConnection } from './credential-links.js';
import { Reconnect } from './reconnect.js';
import { ConnectionTest } from './test-report.js';

/** The open dialog. */
type DialogState =
  | { readonly action: 'create' }
  | { readonly action: 'ask-for-new' }
  | { readonly action: ConnectionAction; readonly connection: Connection };

export function ConnectionsTab({ connector, marked }: { connector: Connector; marked: string | undefined }) {
  const isAdmin = useIsAdmin();
  const [dialog, setDialog] = useState<DialogState | null>(null);
  const { items, error, refetch, more } = useFullList(connectionsQuery(connector.connector));
  const agents = useFullList(remoteAgentsQuery);
  const links = useFullList(credentialLinksQuery(connector.connector));
  const promised = links.items?.filter(({ connection_id: id }) => id === null) ?? [];
  const connect = (
    <Group gap="xs" justify="center">
      <Button variant="default" onClick={() => setDialog({ action: 'ask-for-new' })}>
        Ask the customer for credentials
      </Button>
      <Button onClick={() => setDialog({ action: 'create' })}>Connect</Button>
    </Group>
  );
  return (
    <Stack>
      {error && <ErrorState error={error} retry={refetch} />}
      {links.error && <ErrorState error={links.error} retry={links.refetch} />}
      {!items && !error && <PageSkeleton />}
      {items?.length === 0 && (
        <EmptyState title="No connections yet">
          <Text size="sm">
            {isAdmin
              ? 'Prepare the credentials listed under Overview. The service tests them when you connect.'
              : 'Ask an admin to connect an organization.'}
          </Text>
          {isAdmin && connect}
        </EmptyState>
      )}
      {isAdmin && items && items.length > 0 && <Group justify="flex-end">{connect}</Group>}
      {promised.map((link) => (
        <PromisedConnection key={link.link_id} link={link} isAdmin={isAdmin} />
      ))}
      {items?.map((connection) => (
        <ConnectionCard
          key={connection.connection_id}
          connection={connection}
          agent={agents.items?.find(({ agent_id }) => agent_id === connection.remote_agent)}
          links={links.items?.filter(({ connection_id: id }) => id === connection.connection_id) ?? []}
          isMarked={connection.connection_id === marked}
          isAdmin={isAdmin}
          onAction={(action) => setDialog({ action, connection })}
        />
      ))}
      {more}
      {dialog && (
        <ConnectionDialog
          connector={connector}
          agents={agents.items ?? []}
          dialog={dialog}
          onClose={() => setDialog(null)}
          onTest={(connection) => setDialog({ action: 'test', connection })}
        />
      )}
    </Stack>
  );
}

function ConnectionDialog(props: {
  connector: Connector;
  agents: readonly RemoteAgent[];
  dialog: DialogState;
  onClose: () => void;
  onTest: (connection: Connection) => void;
}) {
  const { connector, agents, dialog, onClose, onTest } = props;
  if (dialog.action === 'create' || dialog.action === 'ask-for-new')
    return (
      <ConnectionForm
        connector={connector}
        agents={agents}
        connection={null}
        asksCustomer={dialog.action === 'ask-for-new'}
        onClose={onClose}
        onSaved={onTest}
      />
    );
  const { connection } = dialog;
  const action: ConnectionAction = dialog.action;
  switch (action) {
    case 'edit':
      return <ConnectionForm connector={connector} agents={agents} connection={connection} onClose={onClose} onSaved={onTest} />;
    case 'test':
      return <ConnectionTest connection={connection} onClose={onClose} />;
    case 'ask':
      return <AskForCredentials connection={connection} onClose={onClose} />;
    case 'reconnect':
      return <Reconnect connector={connector} connection={connection} onClose={onClose} />;
    case 'make-default':
      return (
        <ConfirmDialog
          title={`Set ${connection.instance_name} as default`}
          action="Set as default"
          color="blue"
          change={makeDefault}
          input={connection.connection_id}
          onClose={onClose}
        >
          <Text size="sm">New {connection.organization_code} investigations use this connection instead of the current default.</Text>
        </ConfirmDialog>
      );
    case 'delete':
      return (
        <ConfirmDialog
          title={`Delete ${connection.instance_name}`}
          action="Delete"
          change={deleteConnection}
          input={connection.connection_id}
          onClose={onClose}
        >
          <Text size="sm">
            This permanently deletes the connection and its credentials. It changes nothing at the third party. You cannot delete a
            connection that is in use.
          </Text>
          {connection.needs_second_person && (
            <Text size="sm">It requires a second approver, so another admin has to delete it too within 24 hours.</Text>
          )}
        </ConfirmDialog>
      );
  }
}
