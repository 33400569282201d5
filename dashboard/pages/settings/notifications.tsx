import { Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useFullList } from '../../components/full-list.js';
import { channelKindsQuery, channelsQuery } from '../../queries/notifications.js';
import { Channels } from './notifications/channels.js';
import { Deliveries } from './notifications/deliveries.js';
import { Rules } from './notifications/rules.js';

/** Channels, the rules that send events to them, and the state of each delivery. */
export function Notifications() {
  const channels = useFullList(channelsQuery);
  const { data: kinds = [] } = useQuery(channelKindsQuery);
  return (
    <Stack gap="xl">
      <section aria-labelledby="channels">
        <Title order={3} id="channels" mb="xs">
          Channels
        </Title>
        <Channels list={channels} kinds={kinds} />
      </section>
      <section aria-labelledby="rules">
        <Title order={3} id="rules" mb="xs">
          Rules
        </Title>
        <Rules channels={channels.items ?? []} kinds={kinds} />
      </section>
      <section aria-labelledby="deliveries">
        <Title order={3} id="deliveries" mb="xs">
          Deliveries
        </Title>
        <Deliveries />
      </section>
    </Stack>
  );
}
