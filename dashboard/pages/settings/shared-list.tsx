import { useDisclosure } from '@mantine/hooks';
import type { Column } from '../../components/data-table.js';
import { FieldsModal } from '../../components/fields-modal.js';
import { useFullList } from '../../components/full-list.js';
import type { Field } from '../../components/schema.js';
import type { Change, FormValue, fullList } from '../../queries/kit.js';
import { useIsAdmin, useSession } from '../../session.js';
import { ListSection } from './list-section.js';

/** A list that all organizations share: only an admin of all organizations can add to it. */
export function SharedList<Item, Created>(props: {
  list: ReturnType<typeof fullList<Item>>;
  create: Change<FormValue, Created>;
  noun: string;
  label: string;
  purpose: string;
  columns: Column<Item>[];
  getKey: (item: Item) => string;
  fields: Field[];
}) {
  const { noun, fields, list, create, ...section } = props;
  const [isCreating, creating] = useDisclosure(false);
  const isForAll = useSession().organization_code === null;
  const mayCreate = useIsAdmin() && isForAll;
  return (
    <ListSection
      {...section}
      list={useFullList(list)}
      empty={`No ${noun}s yet`}
      create={mayCreate ? { label: `Create ${noun}`, onClick: creating.open } : null}
    >
      {isCreating && <FieldsModal title={`Create ${noun}`} action="Create" fields={fields} change={create} onClose={creating.close} />}
    </ListSection>
  );
}
