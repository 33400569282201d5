import { Button, Menu, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconChevronDown, IconExternalLink } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { AlertDetail } from '../../../services/alerts/wire.js';
import { reinvestigate } from '../../queries/alerts.js';
import { useSession } from '../../session.js';

/** Starts the next investigation. It reuses the earlier answers that the request allows. */
export function useReinvestigate(alertId: string) {
  return useMutation({
    ...reinvestigate(alertId),
    onError: (error) => notifications.show({ title: 'The investigation did not start', message: error.message, color: 'red' }),
  });
}

export function AlertActions(props: { alert: AlertDetail; isRunning: boolean; reinvestigate: ReturnType<typeof useReinvestigate> }) {
  const { alert, isRunning, reinvestigate: rerun } = props;
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
          <Button size="xs" disabled={isRunning} loading={rerun.isPending} rightSection={<IconChevronDown size={14} aria-hidden />}>
            Re-run investigation
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => rerun.mutate({})}>
            <Choice name="Re-run all steps" description="Calls every skill again." />
          </Menu.Item>
          <Menu.Item onClick={() => rerun.mutate({ reuse: true })}>
            <Choice name="Re-run failed steps" description="Reuses the other steps' answers." />
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
