import type { Provider } from '../../../services/providers/wire.js';
import { api, toBody, unwrap } from '../../api.js';
import type { Column } from '../../components/data-table.js';
import { field } from '../../components/fields-modal.js';
import { Time } from '../../components/time.js';
import { SharedList } from './shared-list.js';

const COLUMNS: Column<Provider>[] = [
  { header: 'Name', accessorKey: 'name' },
  { header: 'In alert IDs', accessorKey: 'segment' },
  { header: 'Created', accessorKey: 'created_at', cell: ({ row }) => <Time at={row.original.created_at} /> },
];

const FIELDS = [field('name', 'Name', { help: 'The name that alerts use, for example mail-gateway.' })];

export function Providers() {
  return (
    <SharedList
      name="providers"
      list={(page) => unwrap(api.GET('/providers', { params: { query: page } }))}
      create={(provider) => unwrap(api.POST('/providers', { body: toBody(provider) }))}
      noun="provider"
      label="Providers"
      purpose="The systems that send alerts. Each alert names one provider."
      columns={COLUMNS}
      getKey={({ provider_uuid }) => provider_uuid}
      fields={FIELDS}
    />
  );
}
