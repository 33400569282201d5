import { Alert, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Channel, ChannelForm, ChannelWithSecret, Delivery } from '../../../../services/notifications/wire.js';
import { ConfirmDialog } from '../../../components/confirm-dialog.js';
import type { Column } from '../../../components/data-table.js';
import type { FullList } from '../../../components/full-list.js';
import { OneTimeSecret } from '../../../components/one-time-secret.js';
import { ErrorState } from '../../../components/states.js';
import { deleteChannel, enableChannel, replayChannel, rotateChannelSecret, testChannel } from '../../../queries/notifications.js';
import { ListSection, RowButton } from '../list-section.js';
import { CreateChannel } from './create-channel.js';
import { EnabledBadge } from './enabled-badge.js';

/** The receiver, for a list. */
function describeReceiver({ settings }: Channel, form: ChannelForm | undefined): string {
  return form === undefined ? '' : [settings[form.receiver]].flat().join(', ');
}

const createColumns = (findForm: (channel: Channel) => ChannelForm | undefined): Column<Channel>[] => [
  { key: 'name', title: 'Name', render: (row) => <span className="breakable">{row.name}</span> },
  { key: 'organization_code', title: 'Organization', render: (row) => row.organization_code },
  { key: 'kind', title: 'Kind', render: (row) => findForm(row)?.title ?? row.kind },
  { key: 'receiver', title: 'Receiver', render: (row) => <span className="breakable">{describeReceiver(row, findForm(row))}</span> },
  { key: 'pending', title: 'Pending', render: (row) => row.pending },
  { key: 'failed', title: 'Failed', render: (row) => row.failed },
  { key: 'is_enabled', title: 'State', render: (row) => <EnabledBadge isEnabled={row.is_enabled} /> },
];

export function Channels({ list, kinds }: { list: FullList<Channel>; kinds: readonly ChannelForm[] }) {
  const findForm = ({ kind }: Channel) => kinds.find((form) => form.kind === kind);
  const [isCreating, creating] = useDisclosure(false);
  const [secret, setSecret] = useState<ChannelWithSecret | null>(null);
  const [removing, setRemoving] = useState<Channel | null>(null);
  const [rotating, setRotating] = useState<Channel | null>(null);
  const test = useMutation(testChannel);
  const enable = useMutation(enableChannel);
  const replay = useMutation(replayChannel);
  const actions: Column<Channel> = {
    key: 'actions',
    title: 'Actions',
    render: (channel) => {
      const { channel_id: id, name, is_enabled: isEnabled } = channel;
      const switchLabel = isEnabled ? 'Disable' : 'Enable';
      return (
        <Group gap="xs">
          <RowButton
            label="Test"
            name={`Test ${name}`}
            isBusy={test.isPending && test.variables === id}
            isOff={!isEnabled}
            onClick={() => test.mutate(id)}
          />
          {channel.failed > 0 && <RowButton label="Replay failed" name={`Replay failed ${name}`} onClick={() => replay.mutate(id)} />}
          <RowButton
            label={switchLabel}
            name={`${switchLabel} ${name}`}
            onClick={() => enable.mutate({ channel_id: id, is_enabled: !isEnabled })}
          />
          {findForm(channel)?.has_signing_secret && (
            <RowButton label="Rotate secret" name={`Rotate secret ${name}`} onClick={() => setRotating(channel)} />
          )}
          <RowButton isDanger label="Delete" name={`Delete ${name}`} onClick={() => setRemoving(channel)} />
        </Group>
      );
    },
  };
  const error = test.error ?? enable.error ?? replay.error;
  return (
    <ListSection
      purpose="A channel sends events to another system. Messages contain a title and a link, but no alert content."
      label="Channels"
      list={list}
      columns={[...createColumns(findForm), actions]}
      getKey={({ channel_id }) => channel_id}
      empty="No channels yet"
      create={kinds.length === 0 ? null : { label: 'Create channel', onClick: creating.open }}
    >
      {secret?.signing_secret && <OneTimeSecret name={`${secret.name} signing secret`} value={secret.signing_secret} />}
      {test.data && <TestResult delivery={test.data} />}
      {error && <ErrorState error={error} />}
      {isCreating && <CreateChannel kinds={kinds} onDone={setSecret} onClose={creating.close} />}
      {rotating && (
        <ConfirmDialog
          title={`Rotate ${rotating.name}'s secret?`}
          action="Rotate"
          color="blue"
          change={rotateChannelSecret}
          input={rotating.channel_id}
          onDone={setSecret}
          onClose={() => setRotating(null)}
        >
          <Text size="sm">For a day, messages have the signatures of the old and of the new secret. Change the receiver in this time.</Text>
        </ConfirmDialog>
      )}
      {removing && (
        <ConfirmDialog
          title={`Delete ${removing.name}?`}
          action="Delete"
          change={deleteChannel}
          input={removing.channel_id}
          onClose={() => setRemoving(null)}
        >
          <Text size="sm">Its rules and deliveries are deleted, too. Pending events are not sent.</Text>
        </ConfirmDialog>
      )}
    </ListSection>
  );
}

function TestResult({ delivery }: { delivery: Delivery }) {
  const { state, channel, last_error: error } = delivery;
  return (
    <Alert color={state === 'delivered' ? 'teal' : 'red'} variant="light" role="status" title={`${channel} test`}>
      {state === 'delivered' ? 'The receiver accepted the message.' : (error ?? 'The receiver has not answered yet.')}
    </Alert>
  );
}
