import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Playbook } from '../../../services/playbooks/wire.js';
import { api, unwrap } from '../../api.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';

export function DeletePlaybook({ playbook }: { playbook: Playbook }) {
  const [opened, { open, close }] = useDisclosure();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Delete
      </Button>
      <ConfirmDialog
        opened={opened}
        title={`Delete ${playbook.name}?`}
        action="Delete"
        onConfirm={async () => {
          await unwrap(api.DELETE('/playbooks/{playbook_id}', { params: { path: { playbook_id: playbook.playbook_id } } }));
          await queryClient.invalidateQueries({ queryKey: ['playbooks'] });
          await navigate({ to: '/investigators' });
        }}
        onClose={close}
      >
        <Text size="sm">
          Running investigations keep their plan. The next alert of one of its types gets a new generated plan, without your edits.
        </Text>
      </ConfirmDialog>
    </>
  );
}
