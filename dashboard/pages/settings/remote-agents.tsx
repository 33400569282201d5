import { Badge, Button, Code, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CreatedRemoteAgent, RemoteAgent } from '../../../services/agents/wire.js';
import { api, toBody, unwrap } from '../../api.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import type { Column } from '../../components/data-table.js';
import { FieldsModal, field } from '../../components/fields-modal.js';
import { useOrganizations, useRemoteAgents } from '../../components/lists.js';
import { OneTimeSecret } from '../../components/one-time-secret.js';
import { Time } from '../../components/time.js';
import { useIsAdmin } from '../../session.js';
import { ListSection } from './list-section.js';

function createColumns(onRevoke: ((agent: RemoteAgent) => void) | null): Column<RemoteAgent>[] {
  return [
    { header: 'Name', accessorKey: 'name' },
    { header: 'Organization', accessorKey: 'organization_code' },
    { header: 'Version', accessorKey: 'version', cell: ({ row }) => row.original.version ?? '–' },
    { header: 'Last seen', accessorKey: 'last_seen_at', cell: ({ row }) => <LastSeen agent={row.original} /> },
    { header: 'Waiting steps', accessorKey: 'waiting_steps' },
    { header: 'Waiting since', accessorKey: 'waiting_since', cell: ({ row }) => <Time at={row.original.waiting_since} /> },
    { id: 'actions', header: 'State', cell: ({ row }) => <State agent={row.original} onRevoke={onRevoke} /> },
  ];
}

function LastSeen({ agent }: { agent: RemoteAgent }) {
  return agent.last_seen_at === null ? 'Never' : <Time at={agent.last_seen_at} />;
}

function State({ agent, onRevoke }: { agent: RemoteAgent; onRevoke: ((agent: RemoteAgent) => void) | null }) {
  if (agent.revoked_at !== null)
    return (
      <Badge variant="outline" color="gray" tt="none">
        Revoked
      </Badge>
    );
  if (onRevoke === null) return 'Active';
  return (
    <Button size="compact-xs" variant="outline" color="red" onClick={() => onRevoke(agent)} aria-label={`Revoke ${agent.name}`}>
      Revoke
    </Button>
  );
}

export function RemoteAgents() {
  const list = useRemoteAgents();
  const organizations = useOrganizations();
  const queryClient = useQueryClient();
  const [isCreating, creating] = useDisclosure(false);
  const [created, setCreated] = useState<CreatedRemoteAgent | null>(null);
  const [revoking, setRevoking] = useState<RemoteAgent | null>(null);
  const isAdmin = useIsAdmin();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['settings'] });
  const codes = (organizations.items ?? []).map(({ organization_code: code }) => code);
  return (
    <ListSection
      purpose="A remote agent runs in an organization's network and calls third parties from there."
      label="Remote agents"
      list={list}
      columns={createColumns(isAdmin ? setRevoking : null)}
      getKey={({ agent_id }) => agent_id}
      empty="No remote agents yet"
      create={isAdmin ? { label: 'Create remote agent', onClick: creating.open } : null}
    >
      {created && <Token agent={created} />}
      {isCreating && (
        <FieldsModal
          title="Create remote agent"
          action="Create"
          fields={[
            field('organization_code', 'Organization', { schema: { enum: codes } }),
            field('name', 'Name', { help: 'For example the name of its network.' }),
          ]}
          onSave={(agent) => unwrap(api.POST('/remote-agents', { body: toBody(agent) }))}
          onSaved={(agent) => {
            creating.close();
            setCreated(agent);
            return refresh();
          }}
          onClose={creating.close}
        />
      )}
      <ConfirmDialog
        opened={revoking !== null}
        title={`Revoke ${revoking?.name ?? ''}?`}
        action="Revoke"
        onConfirm={async () => {
          await unwrap(api.DELETE('/remote-agents/{agent_id}', { params: { path: { agent_id: revoking?.agent_id ?? '' } } }));
          if (created?.agent_id === revoking?.agent_id) setCreated(null);
          await refresh();
        }}
        onClose={() => setRevoking(null)}
      >
        <Text size="sm">The agent receives no more work. Its connections wait until you choose another agent for them.</Text>
      </ConfirmDialog>
    </ListSection>
  );
}

function Token({ agent }: { agent: CreatedRemoteAgent }) {
  return (
    <OneTimeSecret name={`token for ${agent.name}`} value={agent.token}>
      <Text size="sm">
        Start the agent with this command, then choose it as the remote agent of a connection. AGENT_API_URL must be the address of this
        service as the agent's network reaches it:
      </Text>
      <Code block>{`AGENT_API_URL=${window.location.origin} AGENT_TOKEN=<the token> npm run agent`}</Code>
    </OneTimeSecret>
  );
}
