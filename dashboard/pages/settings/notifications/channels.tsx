import { Alert, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Channel, ChannelForm, ChannelWithSecret, Delivery } from '../../../../services/notifications/wire.js';
import { api, unwrap } from '../../../api.js';
import { ConfirmDialog } from '../../../components/confirm-dialog.js';
import type { Column } from '../../../components/data-table.js';
import type { FullList } from '../../../components/full-list.js';
import { OneTimeSecret } from '../../../components/one-time-secret.js';
import { ErrorState } from '../../../components/states.js';
import { ListSection } from '../list-section.js';
import { CreateChannel } from './create-channel.js';
import { EnabledBadge } from './enabled-badge.js';

/** The receiver, for a list. */
function describeReceiver({ settings }: Channel, form: ChannelForm | undefined): string {
  return form === undefined ? '' : [settings[form.receiver]].flat().join(', ');
}

const createColumns = (findForm: (channel: Channel) => ChannelForm | undefined): Column<Channel>[] => [
  { header: 'Name', accessorKey: 'name', cell: ({ row }) => <span className="breakable">{row.original.name}</span> },
  { header: 'Organization', accessorKey: 'organization_code' },
  { header: 'Kind', accessorKey: 'kind', cell: ({ row }) => findForm(row.original)?.title ?? row.original.kind },
  {
    header: 'Receiver',
    accessorKey: 'settings',
    cell: ({ row }) => <span className="breakable">{describeReceiver(row.original, findForm(row.original))}</span>,
  },
  { header: 'Pending', accessorKey: 'pending' },
  { header: 'Failed', accessorKey: 'failed' },
  {
    header: 'State',
    accessorKey: 'is_enabled',
    cell: ({ row }) => <EnabledBadge isEnabled={row.original.is_enabled} />,
  },
];

export function Channels({ list, kinds }: { list: FullList<Channel>; kinds: readonly ChannelForm[] }) {
  const findForm = ({ kind }: Channel) => kinds.find((form) => form.kind === kind);
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['settings'] });
  const [isCreating, creating] = useDisclosure(false);
  const [secret, setSecret] = useState<ChannelWithSecret | null>(null);
  const [removing, setRemoving] = useState<Channel | null>(null);
  const [rotating, setRotating] = useState<Channel | null>(null);
  const toPath = ({ channel_id }: Channel) => ({ params: { path: { channel_id } } });
  const test = useMutation({
    mutationFn: (channel: Channel) => unwrap(api.POST('/notification-channels/{channel_id}/test', toPath(channel))),
    onSettled: refresh,
  });
  const change = useMutation({
    mutationFn: (channel: Channel) =>
      unwrap(api.PATCH('/notification-channels/{channel_id}', { ...toPath(channel), body: { is_enabled: !channel.is_enabled } })),
    onSettled: refresh,
  });
  const replay = useMutation({
    mutationFn: (channel: Channel) => unwrap(api.POST('/notification-channels/{channel_id}/replay', toPath(channel))),
    onSettled: refresh,
  });
  const actions: Column<Channel> = {
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original: channel } }) => {
      const button = (label: string, onClick: () => void, more: object = {}) => (
        <Button size="compact-xs" variant="default" aria-label={`${label} ${channel.name}`} onClick={onClick} {...more}>
          {label}
        </Button>
      );
      return (
        <Group gap="xs">
          {button('Test', () => test.mutate(channel), {
            loading: test.isPending && test.variables === channel,
            disabled: !channel.is_enabled,
          })}
          {channel.failed > 0 && button('Replay failed', () => replay.mutate(channel))}
          {button(channel.is_enabled ? 'Disable' : 'Enable', () => change.mutate(channel))}
          {findForm(channel)?.has_signing_secret && button('Rotate secret', () => setRotating(channel))}
          {button('Delete', () => setRemoving(channel), { variant: 'outline', color: 'red' })}
        </Group>
      );
    },
  };
  const error = test.error ?? change.error ?? replay.error;
  return (
    <ListSection
      purpose="A channel sends events to another system. Messages contain a title and a link, but no content of alerts."
      label="Channels"
      list={list}
      columns={[...createColumns(findForm), actions]}
      getKey={({ channel_id }) => channel_id}
      empty="No channels yet"
      create={kinds.length === 0 ? null : { label: 'Create channel', onClick: creating.open }}
    >
      {secret?.signing_secret && <OneTimeSecret name={`signing secret of ${secret.name}`} value={secret.signing_secret} />}
      {test.data && <TestResult delivery={test.data} />}
      {error && <ErrorState error={error} />}
      {isCreating && (
        <CreateChannel
          kinds={kinds}
          onSaved={(channel) => {
            creating.close();
            setSecret(channel);
            return refresh();
          }}
          onClose={creating.close}
        />
      )}
      <ConfirmDialog
        opened={rotating !== null}
        title={`Rotate ${rotating?.name ?? ''}'s secret?`}
        action="Rotate"
        color="blue"
        onConfirm={async () => {
          if (rotating === null) return;
          setSecret(await unwrap(api.POST('/notification-channels/{channel_id}/rotate-secret', toPath(rotating))));
          await refresh();
        }}
        onClose={() => setRotating(null)}
      >
        <Text size="sm">For a day, messages have the signatures of the old and of the new secret. Change the receiver in this time.</Text>
      </ConfirmDialog>
      <ConfirmDialog
        opened={removing !== null}
        title={`Delete ${removing?.name ?? ''}?`}
        action="Delete"
        onConfirm={async () => {
          if (removing === null) return;
          await unwrap(api.DELETE('/notification-channels/{channel_id}', toPath(removing)));
          await refresh();
        }}
        onClose={() => setRemoving(null)}
      >
        <Text size="sm">Its rules and deliveries are deleted, too. Pending events are not sent.</Text>
      </ConfirmDialog>
    </ListSection>
  );
}

function TestResult({ delivery }: { delivery: Delivery }) {
  const { state, channel, last_error: error } = delivery;
  return (
    <Alert color={state === 'delivered' ? 'teal' : 'red'} variant="light" role="status" title={`Test of ${channel}`}>
      {state === 'delivered' ? 'The receiver accepted the message.' : (error ?? 'The receiver has not answered yet.')}
    </Alert>
  );
}
