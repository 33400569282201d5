import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ViewedList } from '../../domain/case/viewed-list.js';
import type { SavedView } from '../../services/saved-views/wire.js';
import { api, unwrap } from '../api.js';
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
  const [name, setName] = useState(view?.name ?? '');
  const [isShared, setIsShared] = useState(view?.is_shared ?? false);
  const queryClient = useQueryClient();
  const send = useMutation({
    mutationFn: (action: () => Promise<unknown>) => action(),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: ['settings', 'saved-views'] });
      onClose();
    },
  });
  const params = { path: { view_id: view?.view_id ?? '' } };
  const save = () =>
    view === null
      ? unwrap(api.POST('/saved-views', { body: { list, name, filters, is_shared: isShared } }))
      : unwrap(api.PATCH('/saved-views/{view_id}', { params, body: { name, is_shared: isShared } }));
  return (
    <Dialog onClose={onClose} title={view === null ? 'Save current view' : 'Edit view'}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate(save);
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            required
            maxLength={100}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            data-autofocus
          />
          <Checkbox
            label="Share in the organization"
            checked={isShared}
            onChange={({ currentTarget }) => setIsShared(currentTarget.checked)}
          />
          {send.error && <ErrorState error={send.error} />}
          <Group justify="flex-end">
            {view !== null && (
              <Button
                variant="subtle"
                color="red"
                mr="auto"
                onClick={() => send.mutate(() => unwrap(api.DELETE('/saved-views/{view_id}', { params })))}
              >
                Delete view
              </Button>
            )}
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={send.isPending} disabled={name.trim() === ''}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
