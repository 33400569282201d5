import type { Organization } from '../../../services/organizations/wire.js';
import { api, toBody, unwrap } from '../../api.js';
import type { Column } from '../../components/data-table.js';
import { field } from '../../components/fields-modal.js';
import { Time } from '../../components/time.js';
import { SharedList } from './shared-list.js';

const COLUMNS: Column<Organization>[] = [
  { header: 'Code', accessorKey: 'organization_code' },
  { header: 'Name', accessorKey: 'name' },
  { header: 'Created', accessorKey: 'created_at', cell: ({ row }) => <Time at={row.original.created_at} /> },
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
      name="organizations"
      list={(page) => unwrap(api.GET('/organizations', { params: { query: page } }))}
      create={(organization) => unwrap(api.POST('/organizations', { body: toBody(organization) }))}
      noun="organization"
      label="Organizations"
      purpose="Each organization has its own alerts, connections, cases and rules."
      columns={COLUMNS}
      getKey={({ organization_uuid }) => organization_uuid}
      fields={FIELDS}
    />
  );
}
