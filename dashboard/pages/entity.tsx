import { Alert, Badge, Card, Grid, Group, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { COUNTED_ALERTS, type EntityAlert, type EntityDetail } from '../../domain/case/entity-page.js';
import { ENTITY_KINDS, type EntityKind } from '../../domain/entity/entity.js';
import { api, pickOption, unwrap } from '../api.js';
import { CaseStatusBadge, SeverityBadge, StatusBadge, VerdictBadge } from '../components/badges.js';
import { CopyButton } from '../components/copy-button.js';
import type { Column } from '../components/data-table.js';
import { ENTITY_LABELS, EntityLink } from '../components/entities.js';
import { Fact } from '../components/fact.js';
import { Page, PageLink } from '../components/page.js';
import { PagedList } from '../components/paged-list.js';
import { EmptyState, ErrorState, PageSkeleton } from '../components/states.js';
import { Time } from '../components/time.js';
import { Actions } from './entity/actions.js';
import { AnswerList, Cards } from './entity/answers.js';
import { DayChart } from './entity/day-chart.js';

interface EntityQuery {
  readonly kind: EntityKind;
  readonly value: string;
  readonly organization_code: string | undefined;
}

export function EntityPage() {
  const { kind: given, value, organization } = useSearch({ from: '/inside/entity' });
  const kind = pickOption(ENTITY_KINDS, given);
  if (kind === undefined || value === undefined)
    return (
      <EmptyState title="This address names no entity">
        <PageLink to="/alerts">Show the alerts</PageLink>
      </EmptyState>
    );
  return <Found key={`${kind} ${value} ${organization}`} query={{ kind, value, organization_code: organization }} />;
}

function Found({ query }: { query: EntityQuery }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['alerts', 'entity', query],
    queryFn: () => unwrap(api.GET('/entity', { params: { query } })),
  });
  if (error) return <ErrorState error={error} retry={refetch} />;
  if (!data) return <PageSkeleton />;
  return (
    <Page
      name={`${data.value} (${ENTITY_LABELS[data.kind]})`}
      title={
        <Group gap="xs" component="span">
          <Text span inherit className="breakable">
            {data.value}
          </Text>
          <Badge variant="outline" color="gray" tt="none">
            {ENTITY_LABELS[data.kind]}
          </Badge>
          {data.own !== null && (
            <Badge variant="light" color="teal" tt="none">
              Own
            </Badge>
          )}
          {data.protected.length > 0 && (
            <Badge variant="light" color="orange" tt="none">
              Protected
            </Badge>
          )}
        </Group>
      }
      actions={<CopyButton value={data.value} />}
    >
      {data.protected.map((reason) => (
        <Alert key={reason} color="orange" variant="light" title="Protected asset" role="status">
          <Text size="sm" className="breakable">
            {reason} Changes that affect it need two approvals.
          </Text>
        </Alert>
      ))}
      <Grid>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack>
            <Card withBorder>
              <Title order={3} fz="md" mb="xs">
                Alerts in the last 30 days
              </Title>
              <DayChart days={data.days} />
            </Card>
            <Title order={3} fz="md">
              All alerts (
              {data.alert_count >= COUNTED_ALERTS ? `${COUNTED_ALERTS.toLocaleString()} or more` : data.alert_count.toLocaleString()})
            </Title>
            <AlertList query={query} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack>
            <Facts entity={data} />
            <Cards cards={data.cards} />
            <Actions entity={data} />
            <AnswerList answers={data.answers} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Facts({ entity }: { entity: EntityDetail }) {
  const { organization_code: organizationCode, own, first_at, last_at, spellings } = entity;
  return (
    <Card withBorder>
      <Title order={3} fz="md" mb="xs">
        Details
      </Title>
      <Stack gap="xs">
        <Fact name="Organization">{organizationCode}</Fact>
        <Fact name="Belongs to the organization">{own ?? 'Not known as own'}</Fact>
        <Fact name="First alert">
          <Time at={first_at} />
        </Fact>
        <Fact name="Last alert">
          <Time at={last_at} />
        </Fact>
        {spellings.length > 0 && (
          <Fact name="Also written as">
            <Group gap={6}>
              {spellings.map((spelling) => (
                <EntityLink key={`${spelling.kind} ${spelling.value}`} entity={spelling} organizationCode={organizationCode} />
              ))}
            </Group>
          </Fact>
        )}
      </Stack>
    </Card>
  );
}

const COLUMNS: Column<EntityAlert>[] = [
  {
    header: 'Alert',
    accessorKey: 'alert_id',
    cell: ({ row: { original: alert } }) => (
      <>
        <PageLink to="/alerts/$alertId" params={{ alertId: alert.alert_id }} size="xs">
          {alert.alert_id}
        </PageLink>
        <Text size="xs" truncate maw={220} title={alert.alert_type}>
          {alert.alert_type}
        </Text>
      </>
    ),
  },
  { header: 'Role', accessorKey: 'role', cell: ({ row }) => row.original.role ?? '–' },
  {
    header: 'Status',
    accessorKey: 'investigation_status',
    cell: ({ row: { original: alert } }) => (
      <Group gap={4}>
        <StatusBadge status={alert.investigation_status} />
        <VerdictBadge verdict={alert.verdict} />
      </Group>
    ),
  },
  {
    header: 'Case',
    accessorKey: 'case_id',
    cell: ({ row: { original: alert } }) =>
      alert.case_id === null ? (
        '–'
      ) : (
        <>
          <PageLink to="/cases/$caseId" params={{ caseId: alert.case_id }} size="xs" className="breakable">
            {alert.case_title}
          </PageLink>
          <Group gap={4}>
            <Text size="xs" c="dimmed">
              {alert.case_id}
            </Text>
            {alert.case_status !== null && <CaseStatusBadge status={alert.case_status} />}
            <SeverityBadge severity={alert.severity} />
          </Group>
        </>
      ),
  },
  { header: 'Received', accessorKey: 'created_at', cell: ({ row }) => <Time at={row.original.created_at} size="xs" stacked /> },
];

const PAGE_SIZE = 25;

function AlertList({ query }: { query: EntityQuery }) {
  const { cursor } = useSearch({ from: '/inside/entity' });
  const navigate = useNavigate({ from: '/entity' });
  const list = useQuery({
    queryKey: ['alerts', 'of entity', query, cursor ?? null],
    queryFn: () => unwrap(api.GET('/entity/alerts', { params: { query: { ...query, cursor, limit: PAGE_SIZE } } })),
    placeholderData: keepPreviousData,
  });
  return (
    <PagedList
      query={list}
      label="Alerts of the entity"
      minWidth={640}
      isDense
      columns={COLUMNS}
      getKey={(alert) => alert.alert_id}
      cursor={cursor}
      onMove={(moved) => navigate({ search: (now) => ({ ...now, cursor: moved }) })}
      empty={
        <EmptyState title="No alert contains it">
          <Text size="sm">An alert appears here when its investigation has begun.</Text>
        </EmptyState>
      }
    />
  );
}
