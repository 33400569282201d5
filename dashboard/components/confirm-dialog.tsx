import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.js';
import { ErrorState } from './states.js';

/** Asks before an action that cannot be undone or that reaches a third party. */
export function ConfirmDialog(props: {
  opened: boolean;
  title: string;
  action: string;
  color?: string;
  /** The dialog closes when it resolves and shows the error when it rejects. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  children: ReactNode;
}) {
  const { opened, title, action, color = 'red', onConfirm, onClose, children } = props;
  const confirm = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  const close = () => {
    confirm.reset();
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={close} title={title}>
      <Stack>
        {children}
        {confirm.error && <ErrorState error={confirm.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          <Button color={color} loading={confirm.isPending} onClick={() => confirm.mutate()}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
