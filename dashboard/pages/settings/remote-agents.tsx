import { Badge, Code, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { Created, Item } from '../../api.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import type { Column } from '../../components/data-table.js';
import { FieldsModal, field } from '../../components/fields-modal.js';
import { useFullList } from '../../components/full-list.js';
import { useOrganizationCodes } from '../../components/lists.js';
import { OneTimeSecret } from '../../components/one-time-secret.js';
import { Time } from '../../components/time.js';
import { confirmRemoteAgent, createRemoteAgent, remoteAgentsQuery, revokeRemoteAgent } from '../../queries/connections.js';
import { useIsAdmin } from '../../session.js';
import { ListSection, RowButton } from './list-section.js';

type Agent = Item<'/remote-agents'>;
type CreatedAgent = Created<'/remote-agents'>;

interface Changes {
  readonly onConfirm: (agent: Agent) => void;
  readonly onRevoke: (agent: Agent) => void;
}

function createColumns(changes: Changes | null): Column<Agent>[] {
  return [
    { key: 'name', title: 'Name', render: (row) => row.name },
    { key: 'organization_code', title: 'Organization', render: (row) => row.organization_code },
    { key: 'version', title: 'Version', render: (row) => row.version ?? '–' },
    { key: 'last_seen_at', title: 'Last seen', render: (row) => (row.last_seen_at === null ? 'Never' : <Time at={row.last_seen_at} />) },
    { key: 'waiting_steps', title: 'Waiting steps', render: (row) => row.waiting_steps },
    { key: 'waiting_since', title: 'Waiting since', render: (row) => <Time at={row.waiting_since} /> },
    { key: 'actions', title: 'State', render: (row) => <State agent={row} changes={changes} /> },
  ];
}

function State({ agent, changes }: { agent: Agent; changes: Changes | null }) {
  if (agent.revoked_at !== null)
    return (
      <Badge variant="outline" color="gray" tt="none">
        Revoked
      </Badge>
    );
  if (changes === null) return 'Active';
  const { onConfirm, onRevoke } = changes;
  return (
    <Group gap="xs">
      {agent.confirmed_at === null && <RowButton label="Confirm" name={`Confirm ${agent.name}`} onClick={() => onConfirm(agent)} />}
      <RowButton isDanger label="Revoke" name={`Revoke ${agent.name}`} onClick={() => onRevoke(agent)} />
    </Group>
  );
}

export function RemoteAgents() {
  const list = useFullList(remoteAgentsQuery);
  const codes = useOrganizationCodes();
  const [isCreating, creating] = useDisclosure(false);
  const [created, setCreated] = useState<CreatedAgent | null>(null);
  const [confirming, setConfirming] = useState<Agent | null>(null);
  const [revoking, setRevoking] = useState<Agent | null>(null);
  const isAdmin = useIsAdmin();
  return (
    <ListSection
      purpose="A remote agent runs in an organization's network and calls third parties from there."
      label="Remote agents"
      list={list}
      columns={createColumns(isAdmin ? { onConfirm: setConfirming, onRevoke: setRevoking } : null)}
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
          change={createRemoteAgent}
          onDone={setCreated}
          onClose={creating.close}
        />
      )}
      {confirming && (
        <ConfirmDialog
          title={`Confirm ${confirming.name}?`}
          action="Confirm"
          color="blue"
          change={confirmRemoteAgent}
          input={confirming.agent_id}
          onClose={() => setConfirming(null)}
        >
          <Text size="sm">
            The agent may then receive the credentials of connections in cleartext. Confirm only if you know who runs it. Besides the admin
            who created it, a second admin has to confirm it.
          </Text>
        </ConfirmDialog>
      )}
      {revoking && (
        <ConfirmDialog
          title={`Revoke ${revoking.name}?`}
          action="Revoke"
          change={revokeRemoteAgent}
          input={revoking.agent_id}
          onDone={() => created?.agent_id === revoking.agent_id && setCreated(null)}
          onClose={() => setRevoking(null)}
        >
          <Text size="sm">The agent receives no more work. Its connections wait until you choose another agent for them.</Text>
        </ConfirmDialog>
      )}
    </ListSection>
  );
}

function Token({ agent }: { agent: CreatedAgent }) {
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
