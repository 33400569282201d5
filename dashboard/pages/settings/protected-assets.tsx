import { Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { Item } from '../../api.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import type { Column } from '../../components/data-table.js';
import { FieldsModal, field } from '../../components/fields-modal.js';
import { useFullList } from '../../components/full-list.js';
import { Time } from '../../components/time.js';
import { protectAsset, protectedAssetsQuery, unprotectAsset } from '../../queries/response.js';
import { useIsAdmin } from '../../session.js';
import { ListSection, RowButton } from './list-section.js';

type Asset = Item<'/protected-assets'>;

const COLUMNS: Column<Asset>[] = [
  { key: 'kind', title: 'Kind', render: (row) => row.kind },
  { key: 'value', title: 'Asset', render: (row) => <span className="breakable">{row.value}</span> },
  { key: 'reason', title: 'Reason', render: (row) => <span className="breakable">{row.reason}</span> },
  { key: 'created_by', title: 'Added by', render: (row) => row.created_by },
  { key: 'created_at', title: 'Added', render: (row) => <Time at={row.created_at} /> },
];

const FIELDS = [
  field('kind', 'Kind', { schema: { enum: ['host', 'user', 'tag'] } }),
  field('value', 'Asset', { help: 'The full or short name of a host, the name of a user, or a third-party tag.' }),
  field('reason', 'Reason', { help: 'Approvers see it.' }),
];

export function ProtectedAssets({ code }: { code: string }) {
  const isAdmin = useIsAdmin();
  const list = useFullList(protectedAssetsQuery(code));
  const [isAdding, adding] = useDisclosure(false);
  const [removing, setRemoving] = useState<Asset | null>(null);
  const remove: Column<Asset> = {
    key: 'actions',
    title: 'Remove',
    render: (asset) => <RowButton isDanger label="Remove" name={`Remove ${asset.value}`} onClick={() => setRemoving(asset)} />,
  };
  return (
    <ListSection
      title="Protected assets"
      purpose="Two people must approve a change that affects one of these assets."
      label="Protected assets"
      list={list}
      columns={isAdmin ? [...COLUMNS, remove] : COLUMNS}
      getKey={({ asset_id }) => asset_id}
      empty="No protected assets yet"
      create={isAdmin ? { label: 'Protect asset', onClick: adding.open } : null}
    >
      {isAdding && (
        <FieldsModal title="Protect asset" action="Protect" fields={FIELDS} change={protectAsset(code)} onClose={adding.close} />
      )}
      {removing && (
        <ConfirmDialog
          title={`Remove ${removing.value}'s protection?`}
          action="Remove"
          change={unprotectAsset}
          input={removing.asset_id}
          onClose={() => setRemoving(null)}
        >
          <Text size="sm">One approval is then enough for a change that affects it.</Text>
        </ConfirmDialog>
      )}
    </ListSection>
  );
}
