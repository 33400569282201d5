import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ViewedList } from '../../domain/case/viewed-list.js';
import type { SavedView } from '../../services/saved-views/wire.js';
import { deleteView, saveView } from '../queries/saved-views.js';
import { Dialog } from './dialog.js';
import { ErrorState } from './states.js';

/** Saves the filters of now as a view, or renames, shares or deletes a view. */
export function ViewDialog(props: {
  list: ViewedList;
  /** null: a new view. */
  view: SavedView | null;
  filters: Record<string, string>;
  onClose: () => void;
}) {
  const { list, view, filters, onClose } = props;
  const form = useForm({ initialValues: { name: view?.name ?? '', is_shared: view?.is_shared ?? false } });
  const save = useMutation({ ...saveView(view?.view_id ?? null), onSuccess: onClose });
  const remove = useMutation({ ...deleteView, onSuccess: onClose });
  const error = save.error ?? remove.error;
  return (
    <Dialog onClose={onClose} title={view === null ? 'Save current view' : 'Edit view'}>
      <form onSubmit={form.onSubmit((given) => save.mutate({ list, filters, ...given }))}>
        <Stack>
          <TextInput label="Name" required maxLength={100} {...form.getInputProps('name')} data-autofocus />
          <Checkbox label="Share in the organization" {...form.getInputProps('is_shared', { type: 'checkbox' })} />
          {error && <ErrorState error={error} />}
          <Group justify="flex-end">
            {view !== null && (
              <Button variant="subtle" color="red" mr="auto" onClick={() => remove.mutate(view.view_id)}>
                Delete view
              </Button>
            )}
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending || remove.isPending} disabled={form.values.name.trim() === ''}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
