import type { Organization } from '../../../domain/identity/identity.js';
import type { Column } from '../../components/data-table.js';
import { field } from '../../components/fields-modal.js';
import { Time } from '../../components/time.js';
import { SharedRegister } from './shared-register.js';

const COLUMNS: Column<Organization>[] = [
  { header: 'Code', accessorKey: 'organization_code' },
  { header: 'Name', accessorKey: 'name' },
  { header: 'Created', accessorKey: 'created_at', cell: ({ row }) => <Time at={row.original.created_at} /> },
];

const FIELDS = [
  field('organization_code', 'Code', { help: 'Letters, digits, _ and -. It begins the id of every alert and case, and stays.' }),
  field('name', 'Name'),
];

export function Organizations() {
  return (
    <SharedRegister
      path="/organizations"
      noun="organization"
      label="Organizations"
      purpose="Whose alerts are investigated. Each organization has its own connections, cases and rules."
      columns={COLUMNS}
      keyOf={({ organization_uuid }) => organization_uuid}
      fields={FIELDS}
    />
  );
}
