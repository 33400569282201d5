import { Alert, Badge, Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey, CreatedApiKey } from '../../../services/api-keys/wire.js';
import { api, toBody, unwrap } from '../../api.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import type { Column } from '../../components/data-table.js';
import { FieldsModal, field } from '../../components/fields-modal.js';
import { useFullList } from '../../components/full-list.js';
import { useOrganizations } from '../../components/lists.js';
import { OneTimeSecret } from '../../components/one-time-secret.js';
import { Time } from '../../components/time.js';
import { useSession } from '../../session.js';
import { ListSection } from './list-section.js';

function createColumns(onRevoke: (key: ApiKey) => void): Column<ApiKey>[] {
  return [
    { header: 'Name', accessorKey: 'name' },
    { id: 'owner', header: 'Belongs to', cell: ({ row }) => describeHolder(row.original) },
    { header: 'Role', accessorKey: 'role' },
    { header: 'Organization', accessorKey: 'organization_code', cell: ({ row }) => row.original.organization_code ?? 'All' },
    { header: 'Created', accessorKey: 'created_at', cell: ({ row }) => <Time at={row.original.created_at} /> },
    { header: 'Expires', accessorKey: 'expires_at', cell: ({ row }) => <Expiry apiKey={row.original} /> },
    { id: 'actions', header: 'State', cell: ({ row }) => <State apiKey={row.original} onRevoke={onRevoke} /> },
  ];
}

/** The name of an old key is also its service. */
function describeHolder({ name, owner, service }: ApiKey): string {
  return owner ?? (service === null || service === name ? 'Service' : `Service ${service}`);
}

function Expiry({ apiKey }: { apiKey: ApiKey }) {
  return apiKey.expires_at === null ? 'Never' : <Time at={apiKey.expires_at} />;
}

function State({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: (key: ApiKey) => void }) {
  if (apiKey.revoked_at !== null)
    return (
      <Badge variant="outline" color="gray" tt="none">
        Revoked
      </Badge>
    );
  return (
    <Button size="compact-xs" variant="outline" color="red" onClick={() => onRevoke(apiKey)} aria-label={`Revoke ${apiKey.name}`}>
      Revoke
    </Button>
  );
}

const ROLES = ['analyst', 'sender', 'admin'];

function createFields(codes: readonly string[], isForAll: boolean) {
  return [
    field('name', 'Name', { help: 'Unique in the organization. The audit log shows it.' }),
    field('service', 'Service', {
      help: 'The program that uses the key. Leave blank for a key that acts for you.',
      required: false,
    }),
    field('role', 'Role', {
      help: 'Sender: sends alerts. Analyst: works on cases. Admin: also changes connections and settings.',
      schema: { enum: ROLES },
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
  const list = useFullList(['settings', 'api-keys'], (page) => unwrap(api.GET('/api-keys', { params: { query: page } })));
  const organizations = useOrganizations();
  const queryClient = useQueryClient();
  const [isCreating, creating] = useDisclosure(false);
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const session = useSession();
  const isForAll = session.organization_code === null;
  const isOwn = revoking?.key_uuid === session.key_uuid;
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['settings'] });
  const codes = (organizations.items ?? []).map(({ organization_code: code }) => code);
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
          fields={createFields(codes, isForAll)}
          onSave={(key) => unwrap(api.POST('/api-keys', { body: toBody({ organization_code: null, ...key }) }))}
          onSaved={(key) => {
            creating.close();
            setCreated(key);
            return refresh();
          }}
          onClose={creating.close}
        />
      )}
      <ConfirmDialog
        opened={revoking !== null}
        title={`Revoke ${revoking?.name ?? ''}?`}
        action={isOwn ? 'Revoke my own key' : 'Revoke'}
        onConfirm={async () => {
          await unwrap(api.DELETE('/api-keys/{key_id}', { params: { path: { key_id: revoking?.key_uuid ?? '' } } }));
          if (created?.key_uuid === revoking?.key_uuid) setCreated(null);
          await refresh();
        }}
        onClose={() => setRevoking(null)}
      >
        {isOwn && (
          <Alert color="red" title="You are signed in with this key">
            You lose access to this page at once. Make sure that you have another admin key.
          </Alert>
        )}
        <Text size="sm">Requests with this key fail from now on. You cannot undo this.</Text>
      </ConfirmDialog>
    </ListSection>
  );
}
