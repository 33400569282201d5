import { Badge, Button, Select } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DeliveryState } from '../../../../domain/notification/delivery.js';
import type { Delivery } from '../../../../services/notifications/wire.js';
import { api, unwrap } from '../../../api.js';
import type { Column } from '../../../components/data-table.js';
import { useFullList } from '../../../components/full-list.js';
import { ErrorState } from '../../../components/states.js';
import { Time } from '../../../components/time.js';
import { ListSection } from '../list-section.js';

const STATES: Readonly<Record<DeliveryState, { readonly label: string; readonly color: string }>> = {
  pending: { label: 'Pending', color: 'blue' },
  delivered: { label: 'Delivered', color: 'teal' },
  failed: { label: 'Failed', color: 'red' },
};

export function Deliveries() {
  const [state, setState] = useState<DeliveryState | null>(null);
  const list = useFullList(['settings', 'notification-deliveries', state ?? 'all'], (page) =>
    unwrap(api.GET('/notification-deliveries', { params: { query: { ...page, limit: 50, state: state ?? undefined } } })),
  );
  const queryClient = useQueryClient();
  const replay = useMutation({
    mutationFn: ({ delivery_id }: Delivery) =>
      unwrap(api.POST('/notification-deliveries/{delivery_id}/replay', { params: { path: { delivery_id } } })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['settings'] }),
  });
  const columns: Column<Delivery>[] = [
    { header: 'Event', accessorKey: 'title', cell: ({ row }) => <span className="breakable">{row.original.title}</span> },
    { header: 'Channel', accessorKey: 'channel', cell: ({ row }) => <span className="breakable">{row.original.channel}</span> },
    { header: 'Created', accessorKey: 'created_at', cell: ({ row }) => <Time at={row.original.created_at} /> },
    { header: 'State', accessorKey: 'state', cell: ({ row }) => <State state={row.original.state} /> },
    { header: 'Attempts', accessorKey: 'attempts' },
    { header: 'Next attempt', accessorKey: 'next_attempt_at', cell: ({ row }) => <Time at={row.original.next_attempt_at} /> },
    {
      header: 'Last error',
      accessorKey: 'last_error',
      cell: ({ row }) => <span className="breakable">{row.original.last_error ?? '–'}</span>,
    },
    {
      id: 'actions',
      header: 'Actions',
      cell: ({ row: { original: delivery } }) =>
        delivery.state === 'failed' ? (
          <Button size="compact-xs" variant="default" aria-label={`Replay ${delivery.title}`} onClick={() => replay.mutate(delivery)}>
            Replay
          </Button>
        ) : null,
    },
  ];
  return (
    <ListSection
      purpose="A delivery is tried for a day. Then it is failed, and you can replay it with the same event id."
      label="Deliveries"
      list={list}
      columns={columns}
      getKey={({ delivery_id }) => delivery_id}
      empty="No deliveries yet"
      create={null}
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
