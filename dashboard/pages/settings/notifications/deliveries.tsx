import { Badge, Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { DeliveryState } from '../../../../domain/notification/delivery.js';
import type { Delivery } from '../../../../services/notifications/wire.js';
import type { Column } from '../../../components/data-table.js';
import { useFullList } from '../../../components/full-list.js';
import { ErrorState } from '../../../components/states.js';
import { Time } from '../../../components/time.js';
import { deliveriesQuery, replayDelivery } from '../../../queries/notifications.js';
import { ListSection, RowButton } from '../list-section.js';

const STATES: Readonly<Record<DeliveryState, { readonly label: string; readonly color: string }>> = {
  pending: { label: 'Pending', color: 'blue' },
  delivered: { label: 'Delivered', color: 'teal' },
  failed: { label: 'Failed', color: 'red' },
};

export function Deliveries() {
  const [state, setState] = useState<DeliveryState | null>(null);
  const list = useFullList(deliveriesQuery(state));
  const replay = useMutation(replayDelivery);
  const columns: Column<Delivery>[] = [
    { key: 'title', title: 'Event', render: (row) => <span className="breakable">{row.title}</span> },
    { key: 'channel', title: 'Channel', render: (row) => <span className="breakable">{row.channel}</span> },
    { key: 'created_at', title: 'Created', render: (row) => <Time at={row.created_at} /> },
    { key: 'state', title: 'State', render: (row) => <State state={row.state} /> },
    { key: 'attempts', title: 'Attempts', render: (row) => row.attempts },
    { key: 'next_attempt_at', title: 'Next attempt', render: (row) => <Time at={row.next_attempt_at} /> },
    { key: 'last_error', title: 'Last error', render: (row) => <span className="breakable">{row.last_error ?? '–'}</span> },
    {
      key: 'actions',
      title: 'Actions',
      render: (delivery) =>
        delivery.state === 'failed' ? (
          <RowButton label="Replay" name={`Replay ${delivery.title}`} onClick={() => replay.mutate(delivery.delivery_id)} />
        ) : null,
    },
  ];
  return (
    <ListSection
      purpose="A delivery is tried for a day. Then it is failed, and you can replay it with the same event ID."
      label="Deliveries"
      list={list}
      columns={columns}
      getKey={({ delivery_id }) => delivery_id}
      empty="No deliveries yet"
    >
      <Select
        label="State"
        placeholder="All"
        data={DeliveryState.options.map((value) => ({ value, label: STATES[value].label }))}
        value={state}
        onChange={(chosen) => setState(DeliveryState.options.find((each) => each === chosen) ?? null)}
        clearable
        maw={200}
      />
      {replay.error && <ErrorState error={replay.error} />}
    </ListSection>
  );
}

function State({ state }: { state: DeliveryState }) {
  const { label, color } = STATES[state];
  return (
    <Badge variant="light" color={color} tt="none">
      {label}
    </Badge>
  );
}
