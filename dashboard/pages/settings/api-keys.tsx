import { Badge, Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey, CreatedApiKey, Organization } from '../../../domain/identity/identity.js';
import { api } from '../../api.js';
import { Confirm } from '../../components/confirm.js';
import type { Column } from '../../components/data-table.js';
import { FieldsModal, field } from '../../components/fields-modal.js';
import { ShownOnce } from '../../components/shown-once.js';
import { Time } from '../../components/time.js';
import { useWholeList } from '../../components/whole-list.js';
import { useSession } from '../../session.js';
import { Section } from './section.js';

function createColumns(onRevoke: (key: ApiKey) => void): Column<ApiKey>[] {
  return [
    { header: 'Name', accessorKey: 'name' },
    { header: 'Role', accessorKey: 'role' },
    { header: 'Organization', accessorKey: 'organization_code', cell: ({ row }) => row.original.organization_code ?? 'every one' },
    { header: 'Created', accessorKey: 'created_at', cell: ({ row }) => <Time at={row.original.created_at} /> },
    { header: 'Expires', accessorKey: 'expires_at', cell: ({ row }) => <Expiry apiKey={row.original} /> },
    { id: 'actions', header: 'State', cell: ({ row }) => <State apiKey={row.original} onRevoke={onRevoke} /> },
  ];
}

function Expiry({ apiKey }: { apiKey: ApiKey }) {
  return apiKey.expires_at === null ? 'never' : <Time at={apiKey.expires_at} />;
}

function State({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: (key: ApiKey) => void }) {
  if (apiKey.revoked_at !== null)
    return (
      <Badge variant="outline" color="gray" tt="none">
        revoked
      </Badge>
    );
  return (
    <Button size="compact-xs" variant="outline" color="red" onClick={() => onRevoke(apiKey)} aria-label={`Revoke ${apiKey.name}`}>
      Revoke
    </Button>
  );
}

const ROLES = ['analyst', 'sender', 'admin'];

function fieldsFor(codes: readonly string[], isForAll: boolean) {
  return [
    field('name', 'Name', { help: 'Who or what uses it: it is written beside everything done with it.' }),
    field('role', 'Role', {
      help: 'A sender sends alerts; an analyst works on cases; an admin changes connections and settings as well.',
      schema: { enum: ROLES },
    }),
    field('organization_code', 'Organization', {
      help: isForAll ? 'Left empty: every organization.' : '',
      required: !isForAll,
      schema: { enum: codes },
    }),
    field('expires_at', 'Expires', { help: 'Left empty: never.', required: false, schema: { type: 'integer', format: 'epoch-seconds' } }),
  ];
}

export function ApiKeys() {
  const list = useWholeList<ApiKey>('settings', '/api-keys');
  const organizations = useWholeList<Organization>('settings', '/organizations');
  const queryClient = useQueryClient();
  const [isCreating, creating] = useDisclosure(false);
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const isForAll = useSession().organization_code === null;
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['settings'] });
  const codes = (organizations.items ?? []).map(({ organization_code: code }) => code);
  return (
    <Section
      purpose="A key is how people sign in and how systems send alerts. It sees one organization, or every one."
      label="API keys"
      list={list}
      columns={createColumns(setRevoking)}
      keyOf={({ key_uuid }) => key_uuid}
      empty="No API key yet"
      create={{ label: 'New API key', onClick: creating.open }}
    >
      {created && <ShownOnce what={`API key of ${created.name}`} value={created.api_key} />}
      {isCreating && (
        <FieldsModal
          title="New API key"
          action="Create"
          fields={fieldsFor(codes, isForAll)}
          onSave={(key) => api.post<CreatedApiKey>('/api-keys', { organization_code: null, ...key })}
          onSaved={(key) => {
            creating.close();
            setCreated(key);
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
          await api.delete(`/api-keys/${revoking?.key_uuid}`);
          if (created?.key_uuid === revoking?.key_uuid) setCreated(null);
          await refresh();
        }}
        onClose={() => setRevoking(null)}
      >
        <Text size="sm">Whoever uses this key is refused from now on. It cannot be taken back.</Text>
      </Confirm>
    </Section>
  );
}
