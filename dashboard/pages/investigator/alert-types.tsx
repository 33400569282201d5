import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Playbook } from '../../../services/playbooks/wire.js';
import { PageLink } from '../../components/page.js';
import { ErrorState } from '../../components/states.js';
import { createPlaybook } from '../../queries/playbooks.js';
import { useIsAdmin } from '../../session.js';

/** The alert types that a generated playbook investigates. A type that shares it can get its own. */
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
        <Text size="sm">All alert types of the same categories share this plan. A plan change applies to all of them.</Text>
      )}
      <Group gap="md" component="ul" m={0} p={0} aria-label="Alert types" style={{ listStyle: 'none' }}>
        {playbook.alert_types.map((alertType) => (
          <Group key={alertType} component="li" gap={6}>
            <PageLink to="/alerts" search={{ type: alertType }} size="sm">
              {alertType}
            </PageLink>
            {isAdmin && playbook.is_shared && (
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
