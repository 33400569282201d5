import { Button, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ProtectedAsset } from '../../../domain/response/response-rules.js';
import { api } from '../../api.js';
import { Confirm } from '../../components/confirm.js';
import type { Column } from '../../components/data-table.js';
import { FieldsModal, field } from '../../components/fields-modal.js';
import { Time } from '../../components/time.js';
import { useWholeList } from '../../components/whole-list.js';
import { useIsAdmin } from '../../session.js';
import { Section } from './section.js';

const COLUMNS: Column<ProtectedAsset>[] = [
  { header: 'Kind', accessorKey: 'kind' },
  { header: 'Which', accessorKey: 'value', cell: ({ row }) => <span className="breakable">{row.original.value}</span> },
  { header: 'Why', accessorKey: 'reason', cell: ({ row }) => <span className="breakable">{row.original.reason}</span> },
  { header: 'By', accessorKey: 'created_by' },
  { header: 'Since', accessorKey: 'created_at', cell: ({ row }) => <Time at={row.original.created_at} /> },
];

function removing(onRemove: (asset: ProtectedAsset) => void): Column<ProtectedAsset> {
  return {
    id: 'actions',
    header: 'Remove',
    cell: ({ row: { original: asset } }) => (
      <Button size="compact-xs" variant="outline" color="red" onClick={() => onRemove(asset)} aria-label={`Remove ${asset.value}`}>
        Remove
      </Button>
    ),
  };
}

const FIELDS = [
  field('kind', 'Kind', { schema: { enum: ['host', 'user', 'tag'] } }),
  field('value', 'Which', { help: 'A host by its full or short name, an account by its name, a tag as the third party has it.' }),
  field('reason', 'Why', { help: 'Shown to whoever is asked to approve a change of it.' }),
];

export function ProtectedAssets({ code }: { code: string }) {
  const isAdmin = useIsAdmin();
  const queryClient = useQueryClient();
  const list = useWholeList<ProtectedAsset>('settings', '/protected-assets', { organization_code: code });
  const [isAdding, adding] = useDisclosure(false);
  const [removed, setRemoved] = useState<ProtectedAsset | null>(null);
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['settings'] });
  return (
    <Stack gap="xs">
      <Title order={3} fz="md">
        Protected assets
      </Title>
      <Section
        purpose="A change that touches one of these needs the approval of two people."
        label="Protected assets"
        list={list}
        columns={isAdmin ? [...COLUMNS, removing(setRemoved)] : COLUMNS}
        keyOf={({ asset_id }) => asset_id}
        empty="Nothing is protected yet"
        create={isAdmin ? { label: 'Protect an asset', onClick: adding.open } : null}
      >
        {isAdding && (
          <FieldsModal
            title="Protect an asset"
            action="Protect"
            fields={FIELDS}
            onSave={(asset) => api.post<ProtectedAsset>('/protected-assets', { ...asset, organization_code: code })}
            onSaved={() => {
              adding.close();
              return refresh();
            }}
            onClose={adding.close}
          />
        )}
        <Confirm
          opened={removed !== null}
          title={`Protect ${removed?.value ?? ''} no longer?`}
          action="Remove"
          onConfirm={async () => {
            await api.delete(`/protected-assets/${removed?.asset_id}`);
            await refresh();
          }}
          onClose={() => setRemoved(null)}
        >
          <Text size="sm">From now on one person's approval is enough for a change of it.</Text>
        </Confirm>
      </Section>
    </Stack>
  );
}
