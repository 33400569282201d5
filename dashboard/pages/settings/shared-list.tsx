import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api.js';
import type { Column } from '../../components/data-table.js';
import { FieldsModal, type field } from '../../components/fields-modal.js';
import { useWholeList } from '../../components/whole-list.js';
import { useIsAdmin, useSession } from '../../session.js';
import { Section } from './section.js';

/** A list that all organizations share: only an admin of all of them may add to it. */
export function SharedRegister<Item extends object>(props: {
  path: string;
  noun: string;
  label: string;
  purpose: string;
  columns: Column<Item>[];
  keyOf: (item: Item) => string;
  fields: ReturnType<typeof field>[];
}) {
  const { path, noun, fields, ...section } = props;
  const list = useWholeList<Item>('settings', path);
  const queryClient = useQueryClient();
  const [isCreating, creating] = useDisclosure(false);
  const isForAll = useSession().organization_code === null;
  const mayCreate = useIsAdmin() && isForAll;
  return (
    <Section {...section} list={list} empty={`No ${noun} yet`} create={mayCreate ? { label: `New ${noun}`, onClick: creating.open } : null}>
      {isCreating && (
        <FieldsModal
          title={`New ${noun}`}
          action="Create"
          fields={fields}
          onSave={(item) => api.post<Item>(path, item)}
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
