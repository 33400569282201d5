import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Change } from '../queries/kit.js';
import { Dialog } from './dialog.js';
import { ErrorState } from './states.js';

/** Asks before a change that cannot be undone or that reaches a third party. It stays open while the API refuses the change. */
export function ConfirmDialog<Input, Reply>(props: {
  title: string;
  action: string;
  color?: string;
  change: Change<Input, Reply>;
  input: Input;
  onDone?: (reply: Reply) => unknown;
  onClose: () => unknown;
  children: ReactNode;
}) {
  const { title, action, color = 'red', change, input, onDone, onClose, children } = props;
  const confirm = useMutation({
    ...change,
    onSuccess(reply) {
      onClose();
      return onDone?.(reply);
    },
  });
  return (
    <Dialog onClose={onClose} title={title}>
      <Stack>
        {children}
        {confirm.error && <ErrorState error={confirm.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color={color} loading={confirm.isPending} onClick={() => confirm.mutate(input)}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
