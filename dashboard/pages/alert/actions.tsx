import { Button, Menu, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconChevronDown, IconExternalLink } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { AlertDetail } from '../../../services/alerts/wire.js';
import { api, unwrap } from '../../api.js';
import { useSession } from '../../session.js';

type Rerun = { from_step: string } | { reuse: true } | Record<string, never>;

/** Starts the next investigation. It reuses the earlier answers that the request allows. */
export function useReinvestigate(alertId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (rerun: Rerun) =>
      unwrap(api.POST('/alerts/{alert_id}/investigate', { params: { path: { alert_id: alertId } }, body: rerun })),
    onError: (error) => notifications.show({ title: 'The investigation did not start', message: error.message, color: 'red' }),
    onSettled: () =>
      Promise.all([queryClient.invalidateQueries({ queryKey: ['alerts'] }), queryClient.invalidateQueries({ queryKey: ['cases'] })]),
  });
}

export function AlertActions(props: { alert: AlertDetail; isRunning: boolean; reinvestigate: ReturnType<typeof useReinvestigate> }) {
  const { alert, isRunning, reinvestigate } = props;
  const { temporal_web: temporalWeb } = useSession();
  return (
    <>
      {temporalWeb !== null && (
        <Button
          component="a"
          size="xs"
          variant="default"
          target="_blank"
          rel="noreferrer"
          href={`${temporalWeb}/workflows/${encodeURIComponent(alert.alert_id)}`}
          rightSection={<IconExternalLink size={14} aria-hidden />}
        >
          Open in Temporal Web
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" disabled={isRunning} loading={reinvestigate.isPending} rightSection={<IconChevronDown size={14} aria-hidden />}>
            Re-run investigation
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => reinvestigate.mutate({})}>
            <Choice name="Re-run all steps" description="Calls every skill again." />
          </Menu.Item>
          <Menu.Item onClick={() => reinvestigate.mutate({ reuse: true })}>
            <Choice name="Re-run failed steps" description="Reuses the answers of the other steps." />
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

function Choice({ name, description }: { name: string; description: string }) {
  return (
    <>
      <Text size="sm">{name}</Text>
      <Text size="xs" c="dimmed">
        {description}
      </Text>
    </>
  );
}
