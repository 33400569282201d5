import type { Provider } from '../../../domain/identity/identity.js';
import type { Column } from '../../components/data-table.js';
import { field } from '../../components/fields-modal.js';
import { Time } from '../../components/time.js';
import { SharedRegister } from './shared-register.js';

const COLUMNS: Column<Provider>[] = [
  { header: 'Name', accessorKey: 'name' },
  { header: 'In alert ids', accessorKey: 'segment' },
  { header: 'Created', accessorKey: 'created_at', cell: ({ row }) => <Time at={row.original.created_at} /> },
];

const FIELDS = [field('name', 'Name', { help: 'As alerts name it, for example mail-gateway.' })];

export function Providers() {
  return (
    <SharedRegister
      path="/providers"
      noun="provider"
      label="Providers"
      purpose="The systems that alerts come from. An alert names one of them."
      columns={COLUMNS}
      keyOf={({ provider_uuid }) => provider_uuid}
      fields={FIELDS}
    />
  );
}
