import { Button, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ProtectedAsset } from '../../../domain/response/response-rules.js';
import { api, toBody, unwrap } from '../../api.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import type { Column } from '../../components/data-table.js';
import { FieldsModal, field } from '../../components/fields-modal.js';
import { useFullList } from '../../components/full-list.js';
import { Time } from '../../components/time.js';
import { useIsAdmin } from '../../session.js';
import { ListSection } from './list-section.js';

const COLUMNS: Column<ProtectedAsset>[] = [
  { header: 'Kind', accessorKey: 'kind' },
  { header: 'Asset', accessorKey: 'value', cell: ({ row }) => <span className="breakable">{row.original.value}</span> },
  { header: 'Reason', accessorKey: 'reason', cell: ({ row }) => <span className="breakable">{row.original.reason}</span> },
  { header: 'Added by', accessorKey: 'created_by' },
  { header: 'Added', accessorKey: 'created_at', cell: ({ row }) => <Time at={row.original.created_at} /> },
];

function createRemoveColumn(onRemove: (asset: ProtectedAsset) => void): Column<ProtectedAsset> {
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
  field('value', 'Asset', { help: 'The full or short name of a host, the name of a user, or a tag of the third party.' }),
  field('reason', 'Reason', { help: 'Approvers see it.' }),
];

export function ProtectedAssets({ code }: { code: string }) {
  const isAdmin = useIsAdmin();
  const queryClient = useQueryClient();
  const list = useFullList(['settings', 'protected-assets', code], (page) =>
    unwrap(api.GET('/protected-assets', { params: { query: { ...page, organization_code: code } } })),
  );
  const [isAdding, adding] = useDisclosure(false);
  const [removing, setRemoving] = useState<ProtectedAsset | null>(null);
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['settings'] });
  return (
    <Stack gap="xs">
      <Title order={3} fz="md">
        Protected assets
      </Title>
      <ListSection
        purpose="Two people must approve a change that affects one of these assets."
        label="Protected assets"
        list={list}
        columns={isAdmin ? [...COLUMNS, createRemoveColumn(setRemoving)] : COLUMNS}
        getKey={({ asset_id }) => asset_id}
        empty="No protected assets yet"
        create={isAdmin ? { label: 'Protect asset', onClick: adding.open } : null}
      >
        {isAdding && (
          <FieldsModal
            title="Protect asset"
            action="Protect"
            fields={FIELDS}
            onSave={(asset) => unwrap(api.POST('/protected-assets', { body: toBody({ ...asset, organization_code: code }) }))}
            onSaved={() => {
              adding.close();
              return refresh();
            }}
            onClose={adding.close}
          />
        )}
        <ConfirmDialog
          opened={removing !== null}
          title={`Remove protection of ${removing?.value ?? ''}?`}
          action="Remove"
          onConfirm={async () => {
            await unwrap(api.DELETE('/protected-assets/{asset_id}', { params: { path: { asset_id: removing?.asset_id ?? '' } } }));
            await refresh();
          }}
          onClose={() => setRemoving(null)}
        >
          <Text size="sm">One approval is then enough for a change that affects it.</Text>
        </ConfirmDialog>
      </ListSection>
    </Stack>
  );
}
