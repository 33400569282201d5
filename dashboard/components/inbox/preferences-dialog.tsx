import { Alert, Button, Group, Select, Stack, Switch, Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { EventGroup, type GroupPreference, type InboxPreferences } from '../../../domain/notification/inbox.js';
import { Severity } from '../../../domain/verdict/evidence.js';
import { api, pickOption, unwrap } from '../../api.js';
import { Dialog } from '../dialog.js';
import { ErrorState, PageSkeleton } from '../states.js';
import { canShowNotifications, requestPermission } from './browser-notifications.js';
import { preferencesQuery } from './queries.js';

const GROUPS: Readonly<Record<EventGroup, { readonly label: string; readonly mine: string }>> = {
  assignments: { label: 'Assignments and SLA', mine: 'Of my cases' },
  comments: { label: 'Comments', mine: 'On my cases, or that mention me' },
  cases: { label: 'Opened cases, verdicts, failed investigations, time limits', mine: 'Of my cases' },
  approvals: { label: 'Actions that need approval', mine: 'Of my cases' },
  actions: { label: 'Decided and failed actions', mine: 'Of my cases' },
  connections: { label: 'Connections and agents', mine: 'Where I am an admin' },
};
const WANTED = ['none', 'mine', 'all'] as const satisfies readonly GroupPreference['wanted'][];

/** Which events reach the own inbox. */
export function PreferencesDialog({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useQuery({ ...preferencesQuery, staleTime: 0, refetchOnWindowFocus: false });
  return (
    <Dialog onClose={onClose} title="Notification preferences" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      {error && <ErrorState error={error} retry={refetch} />}
      {!data && !error && <PageSkeleton />}
      {data && <PreferencesForm saved={data} onClose={onClose} />}
    </Dialog>
  );
}

function PreferencesForm({ saved, onClose }: { saved: InboxPreferences; onClose: () => void }) {
  const queryClient = useQueryClient();
  const [{ groups, browser_notifications: isShown }, setGiven] = useState(saved);
  const [isBlocked, setBlocked] = useState(false);
  const choose = (group: EventGroup, change: Partial<GroupPreference>) =>
    setGiven((now) => ({ ...now, groups: { ...now.groups, [group]: { ...now.groups[group], ...change } } }));
  const save = useMutation({
    mutationFn: () => unwrap(api.PUT('/inbox/preferences', { body: { groups, browser_notifications: isShown } })),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: ['inbox'] });
      onClose();
    },
  });
  const switchNotifications = async (isOn: boolean) => {
    setBlocked(isOn && !(await requestPermission()));
    setGiven((now) => ({ ...now, browser_notifications: isOn }));
  };
  return (
    <Stack>
      <Text size="sm">Choose the events for your inbox, in all your organizations. Your own comments and assignments are left out.</Text>
      <Table.ScrollContainer minWidth={480}>
        <Table aria-label="Events">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Events</Table.Th>
              <Table.Th>Inbox</Table.Th>
              <Table.Th>Minimum severity</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {EventGroup.options.map((group) => (
              <Table.Tr key={group}>
                <Table.Td>{GROUPS[group].label}</Table.Td>
                <Table.Td>
                  <Select
                    aria-label={GROUPS[group].label}
                    data={[
                      { value: 'none', label: 'None' },
                      { value: 'mine', label: GROUPS[group].mine },
                      { value: 'all', label: 'All' },
                    ]}
                    value={groups[group].wanted}
                    onChange={(wanted) => choose(group, { wanted: pickOption(WANTED, wanted ?? undefined) ?? 'none' })}
                    allowDeselect={false}
                  />
                </Table.Td>
                <Table.Td>
                  {group !== 'connections' && (
                    <Select
                      aria-label={`Minimum severity of ${GROUPS[group].label}`}
                      placeholder="Any"
                      data={Severity.options}
                      value={groups[group].min_severity}
                      onChange={(severity) => choose(group, { min_severity: pickOption(Severity.options, severity ?? undefined) ?? null })}
                      clearable
                    />
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Switch
        label="Show notifications of the browser"
        description="While the dashboard is open. They have a title and a link."
        checked={isShown}
        onChange={({ currentTarget }) => void switchNotifications(currentTarget.checked)}
      />
      {isShown && !isBlocked && !canShowNotifications() && (
        <Button variant="default" size="xs" onClick={() => void switchNotifications(true)}>
          Allow notifications in this browser
        </Button>
      )}
      {isBlocked && (
        <Alert color="yellow" variant="light" role="alert">
          This browser does not allow notifications of this site. Allow them in the settings of the browser.
        </Alert>
      )}
      {save.error && <ErrorState error={save.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={save.isPending} onClick={() => save.mutate()}>
          Save
        </Button>
      </Group>
    </Stack>
  );
}
