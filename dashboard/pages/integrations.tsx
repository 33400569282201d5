import { Card, Group, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ConnectionState } from '../../domain/connection/connection.js';
import type { Connection, Connector } from '../../services/connections/wire.js';
import { ConnectionStateBadge } from '../components/badges.js';
import { useFullList } from '../components/full-list.js';
import { Page, PageLink } from '../components/page.js';
import { EmptyState, ErrorState, PageSkeleton } from '../components/states.js';
import { connectionsQuery, connectorsQuery } from '../queries/connections.js';
import { ConnectorIcon } from './connector/connector-icon.js';

const STATES: readonly ConnectionState[] = ['broken', 'untested', 'working'];

export function IntegrationsPage() {
  const { name } = useSearch({ from: '/inside/integrations' });
  const navigate = useNavigate({ from: '/integrations' });
  const connectors = useQuery(connectorsQuery);
  const connections = useFullList(connectionsQuery());
  const error = connectors.error ?? connections.error;
  const words = (name ?? '').toLowerCase().split(/\s+/);
  const shown = connectors.data?.filter(({ title, connector, products, purpose }) => {
    const names = [title, connector, purpose, ...products].join(' ').toLowerCase();
    return words.every((word) => names.includes(word));
  });
  return (
    <Page title="Integrations">
      <TextInput
        aria-label="Search integrations"
        placeholder="Search by product, such as Defender"
        defaultValue={name}
        onChange={({ currentTarget }) => navigate({ search: { name: currentTarget.value || undefined }, replace: true })}
        maw={320}
        role="searchbox"
      />
      {error && <ErrorState error={error} retry={() => Promise.all([connectors.refetch(), connections.refetch()])} />}
      {!shown && !error && <PageSkeleton />}
      {shown?.length === 0 && (
        <EmptyState title="No integrations match this name">
          <PageLink to="/integrations" size="sm">
            Show all integrations
          </PageLink>
        </EmptyState>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {shown?.map((connector) => (
          <ConnectorCard
            key={connector.connector}
            connector={connector}
            connections={(connections.items ?? []).filter((connection) => connection.connector === connector.connector)}
          />
        ))}
      </SimpleGrid>
    </Page>
  );
}

function ConnectorCard({ connector, connections }: { connector: Connector; connections: readonly Connection[] }) {
  const states = STATES.flatMap((state) => {
    const count = connections.filter((connection) => connection.state === state).length;
    return count === 0 ? [] : [{ state, count }];
  });
  return (
    <Card withBorder component="article" aria-label={connector.title}>
      <Stack gap="xs" h="100%" justify="space-between">
        <Group wrap="nowrap" align="flex-start" gap="sm">
          <ConnectorIcon icon={connector.icon} />
          <div>
            <Title order={3} fz="md">
              <PageLink to="/integrations/$connector" params={{ connector: connector.connector }} inherit>
                {connector.title}
              </PageLink>
            </Title>
            <Text size="sm" fw={500}>
              {connector.products.join(', ')}
            </Text>
            <Text size="sm">{connector.purpose}</Text>
          </div>
        </Group>
        <Group gap="xs">
          {states.map(({ state, count }) => (
            <ConnectionStateBadge key={state} state={state} count={count} />
          ))}
          {states.length === 0 && (
            <PageLink to="/integrations/$connector" params={{ connector: connector.connector }} search={{ tab: 'connections' }} size="sm">
              Connect
            </PageLink>
          )}
          <Text size="xs">{connector.skills.length} skills</Text>
        </Group>
      </Stack>
    </Card>
  );
}
