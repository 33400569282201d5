import { Alert, Badge, Card, Grid, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { COUNTED_ALERTS, type EntityAlert, type EntityDetail } from '../../domain/case/entity-page.js';
import { CaseStatusBadge, SeverityBadge, StatusBadge, VerdictBadge } from '../components/badges.js';
import { CopyButton } from '../components/copy-button.js';
import type { Column } from '../components/data-table.js';
import { EntityLink } from '../components/entities.js';
import { Fact } from '../components/fact.js';
import { Page, PageLink } from '../components/page.js';
import { PagedList } from '../components/paged-list.js';
import { EmptyState, ErrorState, PageSkeleton } from '../components/states.js';
import { Time } from '../components/time.js';
import { ENTITY_LABELS } from '../options.js';
import { type EntityKey, entityAlertsQuery, entityQuery } from '../queries/entities.js';
import { Actions } from './entity/actions.js';
import { AnswerList, Cards } from './entity/answers.js';
import { DayChart } from './entity/day-chart.js';

export function EntityPage() {
  const { kind, value, organization } = useSearch({ from: '/inside/entity' });
  if (kind === undefined || value === undefined)
    return (
      <EmptyState title="No entity at this address">
        <PageLink to="/alerts">Show the alerts</PageLink>
      </EmptyState>
    );
  return <Found key={`${kind} ${value} ${organization}`} entity={{ kind, value, organization_code: organization }} />;
}

function Found({ entity }: { entity: EntityKey }) {
  const { data, error, refetch } = useQuery(entityQuery(entity));
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
            <AlertList entity={entity} />
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
  const { organization_code: organizationCode, own, first_at, last_at, spellings, similar } = entity;
  return (
    <Card withBorder>
      <Title order={3} fz="md" mb="xs">
        Details
      </Title>
      <Stack gap="xs">
        <Fact name="Organization">{organizationCode}</Fact>
        <Fact name="Belongs to the organization">{own ?? 'Not marked as internal'}</Fact>
        <Fact name="First alert">
          <Time at={first_at} />
        </Fact>
        <Fact name="Last alert">
          <Time at={last_at} />
        </Fact>
        <Names name="Also written as" entities={spellings} organizationCode={organizationCode} />
        <Names name="Perhaps the same" entities={similar} organizationCode={organizationCode} />
      </Stack>
    </Card>
  );
}

function Names({ name, entities, organizationCode }: { name: string; entities: EntityDetail['spellings']; organizationCode: string }) {
  if (entities.length === 0) return null;
  return (
    <Fact name={name}>
      <Group gap={6}>
        {entities.map((entity) => (
          <EntityLink key={`${entity.kind} ${entity.value}`} entity={entity} organizationCode={organizationCode} />
        ))}
      </Group>
    </Fact>
  );
}

const COLUMNS: Column<EntityAlert>[] = [
  {
    key: 'alert_id',
    title: 'Alert',
    render: (alert) => (
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
  { key: 'role', title: 'Role', render: (row) => row.role ?? '–' },
  {
    key: 'investigation_status',
    title: 'Status',
    render: (alert) => (
      <Group gap={4}>
        <StatusBadge status={alert.investigation_status} />
        <VerdictBadge verdict={alert.verdict} />
      </Group>
    ),
  },
  {
    key: 'case_id',
    title: 'Case',
    render: (alert) =>
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
  { key: 'created_at', title: 'Received', render: (row) => <Time at={row.created_at} size="xs" stacked /> },
];

function AlertList({ entity }: { entity: EntityKey }) {
  const { cursor } = useSearch({ from: '/inside/entity' });
  const navigate = useNavigate({ from: '/entity' });
  const list = useQuery(entityAlertsQuery(entity, cursor));
  return (
    <PagedList
      query={list}
      label="Entity alerts"
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
