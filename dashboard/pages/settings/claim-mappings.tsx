import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { Item } from '../../api.js';
import type { Column } from '../../components/data-table.js';
import { FieldsModal, field } from '../../components/fields-modal.js';
import { useFullList } from '../../components/full-list.js';
import { useOrganizationCodes } from '../../components/lists.js';
import { ErrorState } from '../../components/states.js';
import { claimMappingsQuery, deleteClaimMapping, mapClaim } from '../../queries/users.js';
import { ListSection, RowButton } from './list-section.js';

/** The groups of the identity provider that give roles; for admins of all organizations. */
export function ClaimMappings() {
  const list = useFullList(claimMappingsQuery);
  const codes = useOrganizationCodes();
  const remove = useMutation(deleteClaimMapping);
  const [isAdding, adding] = useDisclosure(false);
  const columns: Column<Item<'/claim-mappings'>>[] = [
    { key: 'claim', title: 'Claim', render: (row) => row.claim },
    { key: 'value', title: 'Value', render: (row) => row.value },
    { key: 'role', title: 'Role', render: (row) => row.role },
    { key: 'organization_code', title: 'Organization', render: (row) => row.organization_code ?? 'All' },
    {
      key: 'actions',
      title: '',
      render: (row) => (
        <RowButton isDanger label="Delete" name={`Delete the mapping of ${row.value}`} onClick={() => remove.mutate(row.mapping_uuid)} />
      ),
    },
  ];
  return (
    <ListSection
      title="Identity provider groups"
      purpose="The identity provider's users get their roles from these claims at each sign-in. Without a matching claim they cannot sign in."
      label="Claim mappings"
      list={list}
      columns={columns}
      getKey={({ mapping_uuid }) => mapping_uuid}
      empty="No mappings yet"
      create={{ label: 'Map claim', onClick: adding.open }}
    >
      {remove.error && <ErrorState error={remove.error} />}
      {isAdding && (
        <FieldsModal
          title="Map claim"
          action="Map"
          fields={[
            field('claim', 'Claim', { help: 'An ID token claim, such as groups or realm_access.roles.' }),
            field('value', 'Value', { help: 'The claim has this value, or is a list that contains it.' }),
            field('role', 'Role', { schema: { enum: ['analyst', 'admin'] } }),
            field('organization_code', 'Organization', {
              help: 'Leave blank for all organizations.',
              required: false,
              schema: { enum: codes },
            }),
          ]}
          change={mapClaim}
          onClose={adding.close}
        />
      )}
    </ListSection>
  );
}
