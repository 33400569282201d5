import { Badge, Button, Code, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CreatedRemoteAgent, RemoteAgent } from '../../../domain/connection/remote-agent.js';
import type { Organization } from '../../../domain/identity/identity.js';
import { api } from '../../api.js';
import { Confirm } from '../../components/confirm.js';
import type { Column } from '../../components/data-table.js';
import { FieldsModal, field } from '../../components/fields-modal.js';
import { ShownOnce } from '../../components/shown-once.js';
import { Time } from '../../components/time.js';
import { useWholeList } from '../../components/whole-list.js';
import { useIsAdmin } from '../../session.js';
import { Section } from './section.js';

function createColumns(onRevoke: ((agent: RemoteAgent) => void) | null): Column<RemoteAgent>[] {
  return [
    { header: 'Name', accessorKey: 'name' },
    { header: 'Organization', accessorKey: 'organization_code' },
    { header: 'Version', accessorKey: 'version', cell: ({ row }) => row.original.version ?? '–' },
    { header: 'Last seen', accessorKey: 'last_seen_at', cell: ({ row }) => <Seen agent={row.original} /> },
    { header: 'Waiting steps', accessorKey: 'waiting_steps' },
    { header: 'Waiting since', accessorKey: 'waiting_since', cell: ({ row }) => <Time at={row.original.waiting_since} /> },
    { id: 'actions', header: 'State', cell: ({ row }) => <State agent={row.original} onRevoke={onRevoke} /> },
  ];
}

function Seen({ agent }: { agent: RemoteAgent }) {
  return agent.last_seen_at === null ? 'never yet' : <Time at={agent.last_seen_at} />;
}

function State({ agent, onRevoke }: { agent: RemoteAgent; onRevoke: ((agent: RemoteAgent) => void) | null }) {
  if (agent.revoked_at !== null)
    return (
      <Badge variant="outline" color="gray" tt="none">
        revoked
      </Badge>
    );
  if (onRevoke === null) return 'in use';
  return (
    <Button size="compact-xs" variant="outline" color="red" onClick={() => onRevoke(agent)} aria-label={`Revoke ${agent.name}`}>
      Revoke
    </Button>
  );
}

export function RemoteAgents() {
  const list = useWholeList<RemoteAgent>('settings', '/remote-agents');
  const organizations = useWholeList<Organization>('settings', '/organizations');
  const queryClient = useQueryClient();
  const [isCreating, creating] = useDisclosure(false);
  const [created, setCreated] = useState<CreatedRemoteAgent | null>(null);
  const [revoking, setRevoking] = useState<RemoteAgent | null>(null);
  const isAdmin = useIsAdmin();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['settings'] });
  const codes = (organizations.items ?? []).map(({ organization_code: code }) => code);
  return (
    <Section
      purpose="An agent stands in a network of an organization and calls third parties from there, for the connections routed through it."
      label="Remote agents"
      list={list}
      columns={createColumns(isAdmin ? setRevoking : null)}
      keyOf={({ agent_id }) => agent_id}
      empty="No remote agent yet"
      create={isAdmin ? { label: 'New remote agent', onClick: creating.open } : null}
    >
      {created && <Token agent={created} />}
      {isCreating && (
        <FieldsModal
          title="New remote agent"
          action="Create"
          fields={[
            field('organization_code', 'Organization', { schema: { enum: codes } }),
            field('name', 'Name', { help: 'Of the network it stands in, for example.' }),
          ]}
          onSave={(agent) => api.post<CreatedRemoteAgent>('/remote-agents', agent)}
          onSaved={(agent) => {
            creating.close();
            setCreated(agent);
            return refresh();
          }}
          onClose={creating.close}
        />
      )}
      <Confirm
        opened={revoking !== null}
        title={`Revoke ${revoking?.name ?? ''}?`}
        action="Revoke"
        onConfirm={async () => {
          await api.delete(`/remote-agents/${revoking?.agent_id}`);
          if (created?.agent_id === revoking?.agent_id) setCreated(null);
          await refresh();
        }}
        onClose={() => setRevoking(null)}
      >
        <Text size="sm">
          The agent gets no more work from now on. What is routed through it waits until its connection is routed elsewhere.
        </Text>
      </Confirm>
    </Section>
  );
}

function Token({ agent }: { agent: CreatedRemoteAgent }) {
  return (
    <ShownOnce what={`token of ${agent.name}`} value={agent.token}>
      <Text size="sm">
        Start the agent in its network with this, then choose it under Called by in the form of a connection. The address has to be the one
        by which that network reaches this service:
      </Text>
      <Code block>{`AGENT_API_URL=${window.location.origin} AGENT_TOKEN=<the token> npm run agent`}</Code>
    </ShownOnce>
  );
}
