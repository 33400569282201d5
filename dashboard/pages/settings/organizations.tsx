import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import type { Organization } from '../../../domain/identity.js';
import { api } from '../../api.js';
import type { Column } from '../../components/data-table.js';
import { FieldsModal, field } from '../../components/fields-modal.js';
import { Time } from '../../components/time.js';
import { useWholeList } from '../../components/whole-list.js';
import { useIsAdmin, useSession } from '../../session.js';
import { Section } from './section.js';

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
  const list = useWholeList<Organization>('settings', '/organizations');
  const queryClient = useQueryClient();
  const [isCreating, creating] = useDisclosure(false);
  const isForAll = useSession().organization_code === null;
  const mayCreate = useIsAdmin() && isForAll;
  return (
    <Section
      purpose="Whose alerts are investigated. Each organization has its own connections, cases and rules."
      label="Organizations"
      list={list}
      columns={COLUMNS}
      keyOf={({ organization_uuid }) => organization_uuid}
      empty="No organization yet"
      create={mayCreate ? { label: 'New organization', onClick: creating.open } : null}
    >
      {isCreating && (
        <FieldsModal
          title="New organization"
          action="Create"
          fields={FIELDS}
          onSave={(organization) => api.post<Organization>('/organizations', organization)}
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
