import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Playbook } from '../../../services/playbooks/wire.js';
import { PageLink } from '../../components/page.js';
import { ErrorState } from '../../components/states.js';
import { createPlaybook } from '../../queries/playbooks.js';
import { useIsAdmin } from '../../session.js';

/** The alert types that a generated playbook investigates, and where its plan comes from. */
export function AlertTypes({ playbook }: { playbook: Playbook }) {
  const isAdmin = useIsAdmin();
  const navigate = useNavigate();
  const create = useMutation({
    ...createPlaybook,
    onSuccess: ({ playbook_id: playbookId }) => navigate({ to: '/investigators/$playbookId', params: { playbookId } }),
  });
  const unlisted = playbook.alert_type_count - playbook.alert_types.length;
  return (
    <Stack gap={4}>
      {playbook.is_shared && (
        <Text size="sm">
          {playbook.used_by === 1 ? 'The investigator of 1 alert type uses' : `The investigators of ${playbook.used_by} alert types use`}{' '}
          this plan until you customize theirs. A plan change applies to all of them.
        </Text>
      )}
      {playbook.plan_of !== null && (
        <Group gap={6}>
          <Text size="sm">This investigator uses the plan of its category until you edit, pin or customize it:</Text>
          <PageLink to="/investigators/$playbookId" params={{ playbookId: playbook.plan_of.playbook_id }} size="sm">
            {playbook.plan_of.name}
          </PageLink>
        </Group>
      )}
      <Group gap="md" component="ul" m={0} p={0} aria-label="Alert types" style={{ listStyle: 'none' }}>
        {playbook.alert_types.map((alertType) => (
          <Group key={alertType} component="li" gap={6}>
            <PageLink to="/alerts" search={{ type: alertType }} size="sm">
              {alertType}
            </PageLink>
            {isAdmin && playbook.plan_of !== null && (
              <Button
                size="compact-xs"
                variant="default"
                loading={create.isPending && create.variables.alert_type === alertType}
                onClick={() => create.mutate({ organization_code: playbook.organization_code ?? '', alert_type: alertType })}
                aria-label={`Customize the plan for ${alertType}`}
              >
                Customize
              </Button>
            )}
          </Group>
        ))}
      </Group>
      {unlisted > 0 && <Text size="sm">And {unlisted} more.</Text>}
      {create.error && <ErrorState error={create.error} />}
    </Stack>
  );
}
