import type { Item } from '../../api.js';
import type { Column } from '../../components/data-table.js';
import { field } from '../../components/fields-modal.js';
import { Time } from '../../components/time.js';
import { createOrganization, organizationsQuery } from '../../queries/organizations.js';
import { SharedList } from './shared-list.js';

const COLUMNS: Column<Item<'/organizations'>>[] = [
  { key: 'organization_code', title: 'Code', render: (row) => row.organization_code },
  { key: 'name', title: 'Name', render: (row) => row.name },
  { key: 'created_at', title: 'Created', render: (row) => <Time at={row.created_at} /> },
];

const FIELDS = [
  field('organization_code', 'Code', {
    help: 'Letters, digits, _ and -. Every alert ID and case ID starts with it. You cannot change it later.',
  }),
  field('name', 'Name'),
];

export function Organizations() {
  return (
    <SharedList
      list={organizationsQuery}
      create={createOrganization}
      noun="organization"
      label="Organizations"
      purpose="Each organization has its own alerts, connections, cases and rules."
      columns={COLUMNS}
      getKey={({ organization_uuid }) => organization_uuid}
      fields={FIELDS}
    />
  );
}
