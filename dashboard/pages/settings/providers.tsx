import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import type { Provider } from '../../../domain/identity.js';
import { api } from '../../api.js';
import type { Column } from '../../components/data-table.js';
import { FieldsModal, field } from '../../components/fields-modal.js';
import { Time } from '../../components/time.js';
import { useWholeList } from '../../components/whole-list.js';
import { useIsAdmin, useSession } from '../../session.js';
import { Section } from './section.js';

const COLUMNS: Column<Provider>[] = [
  { header: 'Name', accessorKey: 'name' },
  { header: 'In alert ids', accessorKey: 'segment' },
  { header: 'Created', accessorKey: 'created_at', cell: ({ row }) => <Time at={row.original.created_at} /> },
];

const FIELDS = [field('name', 'Name', { help: 'As alerts name it, for example mail-gateway.' })];

export function Providers() {
  const list = useWholeList<Provider>('settings', '/providers');
  const queryClient = useQueryClient();
  const [isCreating, creating] = useDisclosure(false);
  const isForAll = useSession().organization_code === null;
  const mayCreate = useIsAdmin() && isForAll;
  return (
    <Section
      purpose="The systems that alerts come from. An alert names one of them."
      label="Providers"
      list={list}
      columns={COLUMNS}
      keyOf={({ provider_uuid }) => provider_uuid}
      empty="No provider yet"
      create={mayCreate ? { label: 'New provider', onClick: creating.open } : null}
    >
      {isCreating && (
        <FieldsModal
          title="New provider"
          action="Create"
          fields={FIELDS}
          onSave={(provider) => api.post<Provider>('/providers', provider)}
          onSaved={() => {
            creating.close();
            return queryClient.invalidateQueries({ queryKey: ['settings'] });
          }}
          onClose={creating.close}
        />
      )}
    </Section>
  );
}
