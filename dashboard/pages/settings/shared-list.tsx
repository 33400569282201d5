import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import type { Page } from '../../api.js';
import type { Column } from '../../components/data-table.js';
import { FieldsModal, type field } from '../../components/fields-modal.js';
import { type PageParameters, useFullList } from '../../components/full-list.js';
import { useIsAdmin, useSession } from '../../session.js';
import { ListSection } from './list-section.js';

/** A list that all organizations share: only an admin of all organizations can add to it. */
export function SharedList<Item extends object>(props: {
  name: string;
  list: (page: PageParameters) => Promise<Page<Item>>;
  create: (value: Record<string, unknown>) => Promise<unknown>;
  noun: string;
  label: string;
  purpose: string;
  columns: Column<Item>[];
  getKey: (item: Item) => string;
  fields: ReturnType<typeof field>[];
}) {
  const { name, noun, fields, list: load, create, ...section } = props;
  const list = useFullList(['settings', name], load);
  const queryClient = useQueryClient();
  const [isCreating, creating] = useDisclosure(false);
  const isForAll = useSession().organization_code === null;
  const mayCreate = useIsAdmin() && isForAll;
  return (
    <ListSection
      {...section}
      list={list}
      empty={`No ${noun}s yet`}
      create={mayCreate ? { label: `Create ${noun}`, onClick: creating.open } : null}
    >
      {isCreating && (
        <FieldsModal
          title={`Create ${noun}`}
          action="Create"
          fields={fields}
          onSave={create}
          onSaved={() => {
            creating.close();
            return queryClient.invalidateQueries({ queryKey: ['settings'] });
          }}
          onClose={creating.close}
        />
      )}
    </ListSection>
  );
}
