import { BarChart, DonutChart } from '@mantine/charts';
import { Card, Group, SegmentedControl, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Verdict } from '../../domain/case/evidence.js';
import type { Overview } from '../../domain/case/overview.js';
import type { Proposal } from '../../domain/response/proposal.js';
import { api, type Page as ListPage } from '../api.js';
import { Page, PageLink } from '../components/page.js';
import { EmptyState, ErrorState, PageSkeleton } from '../components/states.js';
import { duration } from '../components/time.js';
import { useWaitingRuns, WaitingRuns } from '../components/waiting-runs.js';

const WINDOWS = [
  { value: '24', label: 'Day' },
  { value: '168', label: 'Week' },
  { value: '720', label: 'Month' },
];

const VERDICT_FILLS: Readonly<Record<Verdict, string>> = {
  malicious: 'red.7',
  suspicious: 'orange.6',
  inconclusive: 'gray.5',
  benign: 'teal.6',
};

export function OverviewPage() {
  const [hours, setHours] = useState('24');
  const { data, error, refetch } = useQuery({
    queryKey: ['overview', hours],
    queryFn: () => api.get<Overview>('/overview', { hours }),
    refetchInterval: 15_000,
  });
  return (
    <Page title="Overview" actions={<SegmentedControl size="xs" aria-label="Window" data={WINDOWS} value={hours} onChange={setHours} />}>
      {error && <ErrorState error={error} again={refetch} />}
      {!data && !error && <PageSkeleton />}
      {data && <Figures overview={data} />}
    </Page>
  );
}

function Figures({ overview }: { overview: Overview }) {
  const { time_to_verdict: time, open_cases, unassigned_cases, proposals_waiting, skill_runs_waiting, connections } = overview;
  const total = overview.alerts.reduce((sum, bucket) => sum + sumStatuses(bucket), 0);
  return (
    <Stack>
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <Figure label="Alerts" value={total.toLocaleString()} hint="came within this window" />
        <Figure
          label="Time to verdict"
          value={time === null ? '–' : duration(time.p50_seconds)}
          hint={time === null ? 'nothing has ended yet' : `19 of 20 within ${duration(time.p95_seconds)}`}
        />
        <Figure
          label="Open cases"
          value={open_cases >= 10_000 ? '10,000 or more' : open_cases.toLocaleString()}
          hint={
            <PageLink to="/cases" search={{ unassigned: 'true' }} size="xs">
              {unassigned_cases.toLocaleString()} that nobody has taken
            </PageLink>
          }
        />
        <Figure
          label="Waiting for a person"
          value={(proposals_waiting + skill_runs_waiting).toLocaleString()}
          hint={proposals_waiting + skill_runs_waiting === 1 ? 'proposed action' : 'proposed actions'}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <AlertsOverTime overview={overview} />
        <Verdicts overview={overview} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <WaitingForAPerson />
        <Connections connections={connections} />
      </SimpleGrid>
    </Stack>
  );
}

const WAITING_SHOWN = 8;

/** Each leads to where it is decided: what an investigation proposes to its case, what a person asked for by hand to its run. */
function WaitingForAPerson() {
  const runs = useWaitingRuns();
  const { data, error, refetch } = useQuery({
    queryKey: ['proposals', 'waiting'],
    queryFn: () => api.get<ListPage<Proposal>>('/proposals', { state: 'waiting', limit: WAITING_SHOWN }),
  });
  return (
    <Card withBorder>
      <Title order={3} fz="md" mb="xs">
        Waiting for a person
      </Title>
      {error && <ErrorState error={error} again={refetch} />}
      {runs.error && <ErrorState error={runs.error} again={runs.refetch} />}
      {data?.items.length === 0 && runs.data?.items.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing: every proposed action is decided.
        </Text>
      )}
      <Stack gap="xs">
        {data?.items.map((proposal) => (
          <div key={proposal.proposal_id}>
            <PageLink to="/cases/$caseId" params={{ caseId: proposal.case_id }} size="sm">
              {proposal.skill_id}
              {proposal.touches && proposal.touches.hosts.length > 0 ? `: ${proposal.touches.hosts.join(', ')}` : ''} ({proposal.case_id})
            </PageLink>
            <Text size="xs" lineClamp={2} className="breakable">
              {proposal.reason}
            </Text>
          </div>
        ))}
      </Stack>
      {data?.next_cursor != null && <Text size="xs">and more: decide these first.</Text>}
      {runs.data && runs.data.items.length > 0 && (
        <Stack gap="xs" mt="sm" component="section" aria-label="Asked for by hand">
          <Title order={4} fz="sm">
            Asked for by hand: a second person approves
          </Title>
          <WaitingRuns runs={runs.data} />
        </Stack>
      )}
    </Card>
  );
}

function describeWaiting(count: number): string {
  if (count === 0) return '';
  return count === 1 ? '1 investigation waits for it' : `${count} investigations wait for it`;
}

function Connections({ connections }: Pick<Overview, 'connections'>) {
  return (
    <Card withBorder>
      <Title order={3} fz="md" mb="xs">
        Connections that need attention
      </Title>
      {connections.length === 0 ? (
        <Text size="sm" c="dimmed">
          None: every connection that was tested works.
        </Text>
      ) : (
        <Table fz="sm" aria-label="Connections that need attention">
          <Table.Tbody>
            {connections.map((connection) => (
              <Table.Tr key={connection.connection_id}>
                <Table.Td>
                  <PageLink
                    to="/integrations/$connector"
                    params={{ connector: connection.connector }}
                    search={{ tab: 'connections' }}
                    size="sm"
                  >
                    {connection.instance_name}
                  </PageLink>
                </Table.Td>
                <Table.Td className="breakable">{connection.reason}</Table.Td>
                <Table.Td>{describeWaiting(connection.waiting)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Card>
  );
}

function Figure({ label, value, hint }: { label: string; value: string; hint: ReactNode }) {
  return (
    <Card withBorder padding="sm">
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fz="xl" fw={700}>
        {value}
      </Text>
      <Text size="xs" c="dimmed" component="div">
        {hint}
      </Text>
    </Card>
  );
}

const HOUR = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

function sumStatuses({ created, submitted, in_progress, completed, failed }: Overview['alerts'][number]): number {
  return created + submitted + in_progress + completed + failed;
}

/** As the specification spells them. */
const STATUSES = [
  { name: 'completed', label: 'Completed', color: 'teal.6' },
  { name: 'in_progress', label: 'Inprogress', color: 'blue.5' },
  { name: 'submitted', label: 'Submitted', color: 'cyan.4' },
  { name: 'created', label: 'Created', color: 'gray.5' },
  { name: 'failed', label: 'Failed', color: 'red.7' },
] as const;

function AlertsOverTime({ overview: { alerts, bucket_seconds } }: { overview: Overview }) {
  const format = bucket_seconds < 86_400 ? HOUR : DAY;
  const data = alerts.map((bucket) => ({ ...bucket, at: format.format(bucket.at * 1000) }));
  const isEmpty = alerts.every((bucket) => sumStatuses(bucket) === 0);
  return (
    <Card withBorder>
      <Title order={3} fz="md" mb="xs">
        Alerts over time
      </Title>
      {isEmpty ? (
        <EmptyState title="No alert came within this window">
          <PageLink to="/alerts" size="sm">
            Send a test alert
          </PageLink>
        </EmptyState>
      ) : (
        <BarChart
          h={240}
          data={data}
          dataKey="at"
          type="stacked"
          withLegend
          yAxisProps={{ allowDecimals: false }}
          series={STATUSES.filter(({ name }) => alerts.some((bucket) => bucket[name] > 0))}
          barProps={{ isAnimationActive: false }}
        />
      )}
    </Card>
  );
}

/** What asks for somebody first. */
const VERDICT_ORDER: readonly Verdict[] = ['malicious', 'suspicious', 'inconclusive', 'benign'];

function Verdicts({ overview }: { overview: Overview }) {
  const verdicts = VERDICT_ORDER.flatMap((verdict) => overview.verdicts.filter((counted) => counted.verdict === verdict));
  return (
    <Card withBorder>
      <Title order={3} fz="md" mb="xs">
        Verdicts
      </Title>
      {verdicts.length === 0 ? (
        <EmptyState title="No case has a verdict yet" />
      ) : (
        <Group justify="space-around">
          <DonutChart
            data={verdicts.map(({ verdict, cases }) => ({ name: verdict, value: cases, color: VERDICT_FILLS[verdict] }))}
            withTooltip
            chartLabel={verdicts.reduce((sum, { cases }) => sum + cases, 0)}
            pieProps={{ isAnimationActive: false }}
          />
          <Table w="auto" fz="sm" aria-label="Cases by verdict">
            <Table.Tbody>
              {verdicts.map(({ verdict, cases }) => (
                <Table.Tr key={verdict}>
                  <Table.Td>
                    <PageLink to="/cases" search={{ verdict }} size="sm">
                      {verdict}
                    </PageLink>
                  </Table.Td>
                  <Table.Td ta="right">{cases.toLocaleString()}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Group>
      )}
    </Card>
  );
}
