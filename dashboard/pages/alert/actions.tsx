import { Button, Menu, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconChevronDown, IconExternalLink } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { AlertDetail } from '../../../domain/alert/alert.js';
import { api } from '../../api.js';
import { useSession } from '../../session.js';

type Rerun = { from_step: string } | { reuse: true } | Record<string, never>;

/** Begins the next investigation; what is asked again depends on where it begins. */
export function useInvestigateAgain(alertId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (rerun: Rerun) => api.post<AlertDetail>(`/alerts/${encodeURIComponent(alertId)}/investigate`, rerun),
    onError: (error) => notifications.show({ title: 'It is not investigated again', message: error.message, color: 'red' }),
    onSettled: () =>
      Promise.all([queryClient.invalidateQueries({ queryKey: ['alerts'] }), queryClient.invalidateQueries({ queryKey: ['cases'] })]),
  });
}

export function AlertActions(props: { alert: AlertDetail; isRunning: boolean; again: ReturnType<typeof useInvestigateAgain> }) {
  const { alert, isRunning, again } = props;
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
          Run in Temporal Web
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" disabled={isRunning} loading={again.isPending} rightSection={<IconChevronDown size={14} aria-hidden />}>
            Investigate again
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => again.mutate({})}>
            <Choice name="From the beginning" what="Every question is asked again." />
          </Menu.Item>
          <Menu.Item onClick={() => again.mutate({ reuse: true })}>
            <Choice name="Only what failed" what="Answers that are there are used again." />
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

function Choice({ name, what }: { name: string; what: string }) {
  return (
    <>
      <Text size="sm">{name}</Text>
      <Text size="xs" c="dimmed">
        {what}
      </Text>
    </>
  );
}
