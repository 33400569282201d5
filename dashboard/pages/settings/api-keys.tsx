import { Alert, Badge, Text } from '@mantine/core';
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
import { apiKeysQuery, createApiKey, revokeApiKey } from '../../queries/users.js';
import { useSession } from '../../session.js';
import { ListSection, RowButton } from './list-section.js';

type ApiKey = Item<'/api-keys'>;

function createColumns(onRevoke: (key: ApiKey) => void): Column<ApiKey>[] {
  return [
    { key: 'name', title: 'Name', render: (row) => row.name },
    { key: 'owner', title: 'Belongs to', render: describeHolder },
    { key: 'role', title: 'Role', render: (row) => row.role },
    { key: 'organization_code', title: 'Organization', render: (row) => row.organization_code ?? 'All' },
    { key: 'created_at', title: 'Created', render: (row) => <Time at={row.created_at} /> },
    { key: 'expires_at', title: 'Expires', render: (row) => (row.expires_at === null ? 'Never' : <Time at={row.expires_at} />) },
    {
      key: 'actions',
      title: 'State',
      render: (row) =>
        row.revoked_at === null ? (
          <RowButton isDanger label="Revoke" name={`Revoke ${row.name}`} onClick={() => onRevoke(row)} />
        ) : (
          <Badge variant="outline" color="gray" tt="none">
            Revoked
          </Badge>
        ),
    },
  ];
}

/** The name of an old key is also its service. */
function describeHolder({ name, owner, service }: ApiKey): string {
  return owner ?? (service === null || service === name ? 'Service' : `Service ${service}`);
}

function createFields(codes: readonly string[], isForAll: boolean) {
  return [
    field('name', 'Name', { help: 'Unique in the organization. The audit log shows it.' }),
    field('service', 'Service', {
      help: 'The program that uses the key. Leave blank for a key that acts for you.',
      required: false,
    }),
    field('role', 'Role', {
      help: 'Sender: sends alerts. Analyst: works on cases. Admin: also changes connections and settings.',
      schema: { enum: ['analyst', 'sender', 'admin'] },
    }),
    field('organization_code', 'Organization', {
      help: isForAll ? 'Leave blank for all organizations.' : '',
      required: !isForAll,
      schema: { enum: codes },
    }),
    field('expires_at', 'Expires', {
      help: 'Leave blank for a key that does not expire.',
      required: false,
      schema: { type: 'integer', format: 'epoch-seconds' },
    }),
  ];
}

export function ApiKeys() {
  const list = useFullList(apiKeysQuery);
  const codes = useOrganizationCodes();
  const [isCreating, creating] = useDisclosure(false);
  const [created, setCreated] = useState<Created<'/api-keys'> | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const session = useSession();
  const isOwn = revoking?.key_uuid === session.key_uuid;
  return (
    <ListSection
      purpose="Programs use API keys. A key acts for the user who created it, or for a service, in one organization or in all."
      label="API keys"
      list={list}
      columns={createColumns(setRevoking)}
      getKey={({ key_uuid }) => key_uuid}
      empty="No API keys yet"
      create={{ label: 'Create API key', onClick: creating.open }}
    >
      {created && <OneTimeSecret name={`API key ${created.name}`} value={created.api_key} />}
      {isCreating && (
        <FieldsModal
          title="Create API key"
          action="Create"
          fields={createFields(codes, session.organization_code === null)}
          change={createApiKey}
          onDone={setCreated}
          onClose={creating.close}
        />
      )}
      {revoking && (
        <ConfirmDialog
          title={`Revoke ${revoking.name}?`}
          action={isOwn ? 'Revoke my own key' : 'Revoke'}
          change={revokeApiKey}
          input={revoking.key_uuid}
          onDone={() => created?.key_uuid === revoking.key_uuid && setCreated(null)}
          onClose={() => setRevoking(null)}
        >
          {isOwn && (
            <Alert color="red" title="You are signed in with this key">
              You lose access to this page at once. Make sure that you have another admin key.
            </Alert>
          )}
          <Text size="sm">Requests with this key fail from now on. You cannot undo this.</Text>
        </ConfirmDialog>
      )}
    </ListSection>
  );
}
