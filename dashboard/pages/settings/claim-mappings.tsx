import { Button, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import type { ClaimMapping } from '../../../services/claim-mappings/wire.js';
import { api, toBody, unwrap } from '../../api.js';
import type { Column } from '../../components/data-table.js';
import { FieldsModal, field } from '../../components/fields-modal.js';
import { useFullList } from '../../components/full-list.js';
import { useOrganizations } from '../../components/lists.js';
import { ListSection } from './list-section.js';

function createColumns(onDelete: (mapping: ClaimMapping) => void): Column<ClaimMapping>[] {
  return [
    { header: 'Claim', accessorKey: 'claim' },
    { header: 'Value', accessorKey: 'value' },
    { header: 'Role', accessorKey: 'role' },
    { header: 'Organization', accessorKey: 'organization_code', cell: ({ row }) => row.original.organization_code ?? 'All' },
    {
      id: 'actions',
      header: '',
      cell: ({ row }) => (
        <Button
          size="compact-xs"
          variant="outline"
          color="red"
          onClick={() => onDelete(row.original)}
          aria-label={`Delete the mapping of ${row.original.value}`}
        >
          Delete
        </Button>
      ),
    },
  ];
}

/** The groups of the identity provider that give roles; for admins of all organizations. */
export function ClaimMappings() {
  const list = useFullList(['settings', 'claim-mappings'], (page) => unwrap(api.GET('/claim-mappings', { params: { query: page } })));
  const organizations = useOrganizations();
  const queryClient = useQueryClient();
  const [isAdding, adding] = useDisclosure(false);
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['settings'] });
  const remove = async ({ mapping_uuid }: ClaimMapping) => {
    await unwrap(api.DELETE('/claim-mappings/{mapping_id}', { params: { path: { mapping_id: mapping_uuid } } }));
    await refresh();
  };
  return (
    <Stack gap="xs">
      <Title order={3} fz="md">
        Groups of the identity provider
      </Title>
      <ListSection
        purpose="Users of the identity provider get their roles from these claims at each sign-in. Without a matching claim they cannot sign in."
        label="Claim mappings"
        list={list}
        columns={createColumns((mapping) => void remove(mapping))}
        getKey={({ mapping_uuid }) => mapping_uuid}
        empty="No mappings yet"
        create={{ label: 'Map claim', onClick: adding.open }}
      >
        {isAdding && (
          <FieldsModal
            title="Map claim"
            action="Map"
            fields={[
              field('claim', 'Claim', { help: 'A claim of the ID token, such as groups or realm_access.roles.' }),
              field('value', 'Value', { help: 'The claim has this value, or is a list that contains it.' }),
              field('role', 'Role', { schema: { enum: ['analyst', 'admin'] } }),
              field('organization_code', 'Organization', {
                help: 'Leave blank for all organizations.',
                required: false,
                schema: { enum: (organizations.items ?? []).map(({ organization_code: code }) => code) },
              }),
            ]}
            onSave={(given) => unwrap(api.POST('/claim-mappings', { body: toBody({ organization_code: null, ...given }) }))}
            onSaved={() => {
              adding.close();
              return refresh();
            }}
            onClose={adding.close}
          />
        )}
      </ListSection>
    </Stack>
  );
}
