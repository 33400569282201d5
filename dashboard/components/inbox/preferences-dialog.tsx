import { Alert, Button, Select, Stack, Switch, Table, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EventGroup, type InboxPreferences } from '../../../domain/notification/inbox.js';
import { Severity } from '../../../domain/verdict/evidence.js';
import { preferencesQuery, savePreferences } from '../../queries/inbox.js';
import { Dialog } from '../dialog.js';
import { FormButtons } from '../schema-form.js';
import { ErrorState, PageSkeleton } from '../states.js';
import { canShowNotifications, requestPermission } from './browser-notifications.js';

const GROUPS: Readonly<Record<EventGroup, { readonly label: string; readonly mine: string }>> = {
  assignments: { label: 'Assignments and SLA', mine: 'In my cases' },
  comments: { label: 'Comments', mine: 'On my cases, or that mention me' },
  cases: { label: 'Opened cases, verdicts, failed investigations, time limits', mine: 'In my cases' },
  approvals: { label: 'Actions that need approval', mine: 'In my cases' },
  actions: { label: 'Decided and failed actions', mine: 'In my cases' },
  connections: { label: 'Connections and agents', mine: 'Where I am an admin' },
};

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
  const form = useForm({ initialValues: saved });
  const isShown = form.values.browser_notifications;
  const [isBlocked, setBlocked] = useState(false);
  const save = useMutation({ ...savePreferences, onSuccess: onClose });
  const switchNotifications = async (isOn: boolean) => {
    setBlocked(isOn && !(await requestPermission()));
    form.setFieldValue('browser_notifications', isOn);
  };
  return (
    <form onSubmit={form.onSubmit((given) => save.mutate(given))}>
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
                      {...form.getInputProps(`groups.${group}.wanted`)}
                      allowDeselect={false}
                    />
                  </Table.Td>
                  <Table.Td>
                    {group !== 'connections' && (
                      <Select
                        aria-label={`Minimum severity: ${GROUPS[group].label}`}
                        placeholder="Any"
                        data={Severity.options}
                        {...form.getInputProps(`groups.${group}.min_severity`)}
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
          label="Show browser notifications"
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
            This browser does not allow notifications from this site. Allow them in the browser's settings.
          </Alert>
        )}
        {save.error && <ErrorState error={save.error} />}
        <FormButtons action="Save" isBusy={save.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
