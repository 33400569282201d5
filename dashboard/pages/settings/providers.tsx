import type { Item } from '../../api.js';
import type { Column } from '../../components/data-table.js';
import { field } from '../../components/fields-modal.js';
import { Time } from '../../components/time.js';
import { createProvider, providersQuery } from '../../queries/organizations.js';
import { SharedList } from './shared-list.js';

const COLUMNS: Column<Item<'/providers'>>[] = [
  { key: 'name', title: 'Name', render: (row) => row.name },
  { key: 'segment', title: 'In alert IDs', render: (row) => row.segment },
  { key: 'created_at', title: 'Created', render: (row) => <Time at={row.created_at} /> },
];

const FIELDS = [field('name', 'Name', { help: 'The name that alerts use, for example mail-gateway.' })];

export function Providers() {
  return (
    <SharedList
      list={providersQuery}
      create={createProvider}
      noun="provider"
      label="Providers"
      purpose="The systems that send alerts. Each alert names one provider."
      columns={COLUMNS}
      getKey={({ provider_uuid }) => provider_uuid}
      fields={FIELDS}
    />
  );
}
