import { Alert, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Page, PageLink } from '../components/page.js';
import { EmptyState, ErrorState, PageSkeleton } from '../components/states.js';
import { WaitingWrites } from '../components/waiting-writes.js';
import { connectorsQuery } from '../queries/connections.js';
import { waitingWritesQuery } from '../queries/proposals.js';
import { ConnectionsTab } from './connector/connections-tab.js';
import { OverviewTab } from './connector/overview-tab.js';
import { SkillsTab } from './connector/skills-tab.js';

const TABS = ['overview', 'connections', 'skills'] as const;

export function ConnectorPage() {
  const { connector: kind } = useParams({ from: '/inside/integrations/$connector' });
  const { tab = 'overview', connection, skill, run, input } = useSearch({ from: '/inside/integrations/$connector' });
  const navigate = useNavigate({ from: '/integrations/$connector' });
  const { data, error, refetch } = useQuery(connectorsQuery);
  if (error) return <ErrorState error={error} retry={refetch} />;
  if (!data) return <PageSkeleton />;
  const connector = data.find((each) => each.connector === kind);
  if (!connector)
    return (
      <EmptyState title="This integration does not exist">
        <PageLink to="/integrations">Show all integrations</PageLink>
      </EmptyState>
    );
  return (
    <Page title={connector.title}>
      <Text size="sm">
        <PageLink to="/integrations" inherit underline="always">
          Integrations
        </PageLink>{' '}
        / {connector.title} ({connector.products.join(', ')})
      </Text>
      <PendingWrites connector={connector.connector} />
      <Tabs value={tab} onChange={(value) => navigate({ search: { tab: TABS.find((each) => each === value) } })} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="overview">Overview</Tabs.Tab>
          <Tabs.Tab value="connections">Connections</Tabs.Tab>
          <Tabs.Tab value="skills">Skills</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="overview">
          <OverviewTab connector={connector} />
        </Tabs.Panel>
        <Tabs.Panel value="connections">
          <ConnectionsTab connector={connector} marked={connection} />
        </Tabs.Panel>
        <Tabs.Panel value="skills">
          <SkillsTab connector={connector} connectionId={connection} slug={skill} runId={run} input={input} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

/** Links to the manual writes that a second approver can approve. */
function PendingWrites({ connector }: { connector: string }) {
  const { data, error, refetch } = useQuery(waitingWritesQuery(connector));
  if (error) return <ErrorState error={error} retry={refetch} />;
  if (!data || data.items.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" title="Needs a second approver" role="region" aria-label="Needs a second approver">
      <WaitingWrites writes={data} />
    </Alert>
  );
}
