import '@mantine/charts/styles.css';
import { BarChart, DonutChart } from '@mantine/charts';
import { Card, Group, SegmentedControl, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Overview } from '../../domain/case/overview.js';
import type { Proposal } from '../../domain/response/proposal.js';
import type { Verdict } from '../../domain/verdict/evidence.js';
import { type Column, DataTable } from '../components/data-table.js';
import { Figure } from '../components/figure.js';
import { Page, PageLink } from '../components/page.js';
import { SecretExpiryBadge } from '../components/secret-expiry.js';
import { EmptyState, ErrorState, PageSkeleton } from '../components/states.js';
import { formatDuration } from '../components/time.js';
import { VERDICTS } from '../options.js';
import { overviewQuery } from '../queries/overview.js';
import { waitingProposalsQuery } from '../queries/proposals.js';
import { ResponseTimes } from './overview/response-times.js';

const PERIODS = [
  { value: '24', label: '24 hours', hint: 'in the last 24 hours' },
  { value: '168', label: '7 days', hint: 'in the last 7 days' },
  { value: '720', label: '30 days', hint: 'in the last 30 days' },
];

const VERDICT_FILLS: Readonly<Record<Verdict, string>> = {
  malicious: 'red.7',
  suspicious: 'orange.6',
  inconclusive: 'gray.5',
  benign: 'teal.6',
};

export function OverviewPage() {
  const [hours, setHours] = useState('24');
  const { data, error, refetch } = useQuery(overviewQuery(Number(hours)));
  return (
    <Page title="Overview" actions={<SegmentedControl size="xs" aria-label="Period" data={PERIODS} value={hours} onChange={setHours} />}>
      {error && <ErrorState error={error} retry={refetch} />}
      {!data && !error && <PageSkeleton />}
      {data && <Figures overview={data} period={PERIODS.find(({ value }) => value === hours)?.hint ?? ''} />}
    </Page>
  );
}

function Figures({ overview, period }: { overview: Overview; period: string }) {
  const { time_to_verdict: time, open_cases, unassigned_cases, proposals_waiting, skill_runs_waiting } = overview;
  const total = overview.alerts.reduce((sum, bucket) => sum + sumStatuses(bucket), 0);
  return (
    <Stack>
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <Figure
          label="Alerts"
          value={
            <PageLink to="/alerts" search={{ from: overview.since }} inherit>
              {total.toLocaleString()}
            </PageLink>
          }
          hint={period}
        />
        <Figure
          label="Time to verdict"
          value={
            <PageLink to="/investigators" inherit>
              {time === null ? '–' : formatDuration(time.p50_seconds)}
            </PageLink>
          }
          hint={time === null ? 'no completed investigations' : `median; p95 ${formatDuration(time.p95_seconds)}`}
        />
        <Figure
          label="Open cases"
          value={
            <PageLink to="/cases" search={{ status: 'open' }} inherit>
              {open_cases >= 10_000 ? '10,000 or more' : open_cases.toLocaleString()}
            </PageLink>
          }
          hint={
            <PageLink to="/cases" search={{ status: 'open', unassigned: true }} size="xs">
              {unassigned_cases.toLocaleString()} unassigned
            </PageLink>
          }
        />
        <Figure
          label="Needs approval"
          value={
            <PageLink to="/" hash="needs-approval" inherit>
              {(proposals_waiting + skill_runs_waiting).toLocaleString()}
            </PageLink>
          }
          hint={proposals_waiting + skill_runs_waiting === 1 ? 'proposed action' : 'proposed actions'}
        />
      </SimpleGrid>
      <ResponseTimes sla={overview.sla} period={period} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <AlertsOverTime overview={overview} period={period} />
        <Verdicts overview={overview} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <PendingApprovals />
        <Connections overview={overview} />
      </SimpleGrid>
    </Stack>
  );
}

/** Proposals of investigations link to their case, manual writes to their run. */
function PendingApprovals() {
  const { data, error, refetch } = useQuery(waitingProposalsQuery);
  return (
    <Card withBorder id="needs-approval" tabIndex={-1}>
      <Title order={3} fz="md" mb="xs">
        Needs approval
      </Title>
      {error && <ErrorState error={error} retry={refetch} />}
      {data?.items.length === 0 && (
        <Text size="sm" c="dimmed">
          No actions need approval.
        </Text>
      )}
      <Stack gap="xs">
        {data?.items.map((proposal) => (
          <div key={proposal.proposal_id}>
            <ProposalLink proposal={proposal} />
            <Text size="xs" lineClamp={2} className="breakable">
              {proposal.reason}
            </Text>
          </div>
        ))}
      </Stack>
      {data?.next_cursor != null && <Text size="xs">There are more. Decide on these first.</Text>}
    </Card>
  );
}

function ProposalLink({ proposal }: { proposal: Proposal }) {
  if (proposal.case_id === null)
    return (
      <PageLink
        to="/integrations/$connector"
        params={{ connector: proposal.connector }}
        search={{ tab: 'skills', run: proposal.proposal_id }}
        size="sm"
        className="breakable"
      >
        {proposal.sentence} ({proposal.organization_code})
      </PageLink>
    );
  return (
    <PageLink to="/cases/$caseId" params={{ caseId: proposal.case_id }} size="sm" className="breakable">
      {proposal.sentence} ({proposal.case_id})
    </PageLink>
  );
}

function describeWaiting(count: number): string {
  if (count === 0) return '';
  return count === 1 ? '1 investigation waiting' : `${count} investigations waiting`;
}

const CONNECTION_COLUMNS: Column<Overview['connections'][number]>[] = [
  { key: 'name', title: 'Connection', render: (connection) => <ConnectionLink connection={connection} /> },
  { key: 'organization', title: 'Organization', render: (connection) => connection.organization_code },
  { key: 'reason', title: 'Reason', render: (connection) => <span className="breakable">{connection.reason}</span> },
  { key: 'waiting', title: 'Waiting', render: (connection) => describeWaiting(connection.waiting) },
];

const SECRET_COLUMNS: Column<Overview['expiring_secrets'][number]>[] = [
  { key: 'name', title: 'Connection', render: (connection) => <ConnectionLink connection={connection} /> },
  { key: 'organization', title: 'Organization', render: (connection) => connection.organization_code },
  { key: 'expires', title: 'Expires', render: (connection) => <SecretExpiryBadge day={connection.secret_expires_on} /> },
];

function Connections({ overview: { connections, expiring_secrets: expiring } }: { overview: Overview }) {
  return (
    <Card withBorder>
      <Title order={3} fz="md" mb="xs">
        Connections that need attention
      </Title>
      <DataTable
        label="Connections that need attention"
        columns={CONNECTION_COLUMNS}
        rows={connections}
        getKey={({ connection_id }) => connection_id}
        empty={
          <Text size="sm" c="dimmed">
            All tested connections work.
          </Text>
        }
      />
      {expiring.length > 0 && (
        <Stack gap="xs" mt="sm" component="section" aria-label="Secrets that expire">
          <Title order={4} fz="sm">
            Secrets that expire within 30 days
          </Title>
          <DataTable
            label="Secrets that expire within 30 days"
            columns={SECRET_COLUMNS}
            rows={expiring}
            getKey={({ connection_id }) => connection_id}
            empty={null}
          />
        </Stack>
      )}
    </Card>
  );
}

function ConnectionLink({ connection }: { connection: Overview['connections' | 'expiring_secrets'][number] }) {
  return (
    <PageLink
      to="/integrations/$connector"
      params={{ connector: connection.connector }}
      search={{ tab: 'connections', connection: connection.connection_id }}
      size="sm"
    >
      {connection.instance_name}
    </PageLink>
  );
}

const HOUR = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

function sumStatuses({ created, submitted, in_progress, completed, failed }: Overview['alerts'][number]): number {
  return created + submitted + in_progress + completed + failed;
}

/** The labels of the specification. */
const STATUSES = [
  { name: 'completed', label: 'Completed', color: 'teal.6' },
  { name: 'in_progress', label: 'Inprogress', color: 'blue.5' },
  { name: 'submitted', label: 'Submitted', color: 'cyan.4' },
  { name: 'created', label: 'Created', color: 'gray.5' },
  { name: 'failed', label: 'Failed', color: 'red.7' },
] as const;

function AlertsOverTime({ overview: { alerts, bucket_seconds }, period }: { overview: Overview; period: string }) {
  const format = bucket_seconds < 86_400 ? HOUR : DAY;
  const data = alerts.map((bucket) => ({ ...bucket, at: format.format(bucket.at * 1000) }));
  const isEmpty = alerts.every((bucket) => sumStatuses(bucket) === 0);
  return (
    <Card withBorder>
      <Title order={3} fz="md" mb="xs">
        Alerts over time
      </Title>
      {isEmpty ? (
        <EmptyState title={`No alerts ${period}`}>
          <PageLink to="/alerts" size="sm">
            Send test alert
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

function Verdicts({ overview }: { overview: Overview }) {
  const verdicts = VERDICTS.flatMap((verdict) => overview.verdicts.filter((counted) => counted.verdict === verdict));
  return (
    <Card withBorder>
      <Title order={3} fz="md" mb="xs">
        Verdicts
      </Title>
      {verdicts.length === 0 ? (
        <EmptyState title="No verdicts yet" />
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
                    <PageLink to="/cases" search={{ verdict }} size="sm" tt="capitalize">
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
