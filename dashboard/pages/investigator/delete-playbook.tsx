import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import type { Playbook } from '../../../services/playbooks/wire.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { deletePlaybook } from '../../queries/playbooks.js';

export function DeletePlaybook({ playbook }: { playbook: Playbook }) {
  const [isOpen, { open, close }] = useDisclosure();
  const navigate = useNavigate();
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Delete
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={`Delete ${playbook.name}?`}
          action="Delete"
          change={deletePlaybook}
          input={playbook.playbook_id}
          onDone={() => navigate({ to: '/investigators' })}
          onClose={close}
        >
          <Text size="sm">
            Running investigations keep their plan. The next alert of one of its types gets a new generated plan, without your edits.
          </Text>
        </ConfirmDialog>
      )}
    </>
  );
}
