import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { AlertListItem, InvestigationStatus } from '../../domain/alert/alert.js';
import { api, buildUrl, pickOption, toNumber, unwrap } from '../api.js';
import { SeverityBadge, STATUS_LABELS, StatusBadge, VerdictBadge } from '../components/badges.js';
import type { Column } from '../components/data-table.js';
import { ChoiceFilter, OrganizationFilter, ProviderFilter, TimeFilter } from '../components/filters.js';
import { Page, PageLink } from '../components/page.js';
import { PagedList } from '../components/paged-list.js';
import { SearchField } from '../components/search-field.js';
import { EmptyState } from '../components/states.js';
import { Time } from '../components/time.js';
import { SendAlert } from './send-alert.js';

/** The columns of the specification, with its names and in its order. */
const COLUMNS: Column<AlertListItem>[] = [
  {
    header: 'ID',
    accessorKey: 'alert_id',
    cell: ({ row: { original: alert } }) => (
      <PageLink to="/alerts/$alertId" params={{ alertId: alert.alert_id }} size="xs" className="breakable" miw={140} display="block">
        {alert.alert_id}
      </PageLink>
    ),
  },
  { header: 'ORG', accessorKey: 'organization_code', cell: ({ row }) => <ShortText text={row.original.organization_code} width={90} /> },
  { header: 'PROVIDER', accessorKey: 'alert_provider' },
  { header: 'ALERT NAME', accessorKey: 'alert_type', cell: ({ row }) => <ShortText text={row.original.alert_type} width={140} /> },
  {
    header: 'STATUS',
    accessorKey: 'investigation_status',
    cell: ({ row: { original: alert } }) => (
      <Stack gap={2} align="flex-start">
        <StatusBadge status={alert.investigation_status} />
        {alert.verdict !== null && <VerdictBadge verdict={alert.verdict} />}
      </Stack>
    ),
  },
  { header: 'CREATION TIME', accessorKey: 'created_at', cell: ({ row }) => <Time at={row.original.created_at} size="xs" stacked /> },
  { header: 'INVESTIGATOR', accessorKey: 'playbook', cell: ({ row }) => <ShortText text={row.original.playbook ?? '–'} width={120} /> },
  {
    header: 'CASE ID',
    accessorKey: 'case_id',
    cell: ({ row: { original: alert } }) =>
      alert.case_id === null ? (
        '–'
      ) : (
        <Stack gap={2} align="flex-start">
          <PageLink to="/cases/$caseId" params={{ caseId: alert.case_id }} size="xs">
            {alert.case_id}
          </PageLink>
          {alert.severity !== null && <SeverityBadge severity={alert.severity} />}
        </Stack>
      ),
  },
  { header: 'COMPLETION TIME', accessorKey: 'completed_at', cell: ({ row }) => <Time at={row.original.completed_at} size="xs" stacked /> },
  { header: 'Content', accessorKey: 'alert_content', cell: ({ row }) => <ShortText text={row.original.alert_content} width={140} /> },
];

/** The title shows more text on hover; contents can be as long as 1 MiB. */
const TITLE_LENGTH = 300;

function ShortText({ text, width }: { text: string; width: number }) {
  return (
    <Text size="xs" truncate maw={width} title={text.slice(0, TITLE_LENGTH)}>
      {text.slice(0, TITLE_LENGTH)}
    </Text>
  );
}

const PAGE_SIZE = 50;
const STATUS_CODES: readonly InvestigationStatus[] = [0, 5, 10, 15, 20];
const STATUSES = Object.entries(STATUS_LABELS).map(([value, label]) => ({ value, label }));

export function AlertsPage() {
  const search = useSearch({ from: '/inside/alerts' });
  const navigate = useNavigate({ from: '/alerts' });
  const [isSending, sending] = useDisclosure(false);
  const { text, status, organization, provider, type, from, to, cursor } = search;
  const filters = {
    text,
    status: pickOption(STATUS_CODES, status),
    organization_code: organization,
    provider,
    alert_type: type,
    created_from: toNumber(from),
    created_before: toNumber(to),
  };
  const query = useQuery({
    queryKey: ['alerts', filters, cursor ?? null],
    queryFn: () => unwrap(api.GET('/alerts', { params: { query: { ...filters, cursor, limit: PAGE_SIZE } } })),
    placeholderData: keepPreviousData,
  });
  /** A changed filter starts at the newest row. */
  const filter = (changed: Record<string, string | undefined>) =>
    navigate({ search: (now) => ({ ...now, cursor: undefined, ...changed }), replace: true });
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Page
      title="Alerts"
      actions={
        <>
          <Button component="a" variant="default" size="xs" href={buildUrl('/alerts.csv', { query: filters })} download>
            Export CSV
          </Button>
          <Button size="xs" onClick={sending.open}>
            Send test alert
          </Button>
        </>
      }
    >
      <Group gap="xs" role="search">
        <SearchField
          aria-label="Search alerts"
          placeholder="Search name and content"
          value={text}
          onSearch={(found) => filter({ text: found })}
          w={{ base: '100%', xs: 260 }}
        />
        <ChoiceFilter
          label="Status"
          placeholder="Any status"
          data={STATUSES}
          value={status}
          onChange={(value) => filter({ status: value })}
        />
        <OrganizationFilter value={organization} onChange={(value) => filter({ organization: value })} />
        <ProviderFilter value={provider} onChange={(value) => filter({ provider: value })} />
        <SearchField
          aria-label="Alert name"
          placeholder="Exact alert name"
          value={type}
          onSearch={(found) => filter({ type: found })}
          w={180}
        />
        <TimeFilter label="From" value={from} onChange={(value) => filter({ from: value })} />
        <TimeFilter label="Before" value={to} onChange={(value) => filter({ to: value })} />
        {isFiltered && (
          <Button variant="subtle" size="xs" onClick={() => navigate({ search: {} })}>
            Clear filters
          </Button>
        )}
      </Group>
      <PagedList
        query={query}
        label="Alerts"
        minWidth={1000}
        isDense
        columns={COLUMNS}
        getKey={(alert) => alert.alert_id}
        empty={
          isFiltered ? (
            <EmptyState title="No alerts match these filters">
              <Text size="sm">Clear a filter, or use fewer words: an alert must contain all of them.</Text>
            </EmptyState>
          ) : (
            <EmptyState title="No alerts yet">
              <Text size="sm">Send a test alert, or call POST /platformapi/alerts.</Text>
            </EmptyState>
          )
        }
        cursor={cursor}
        onMove={(next) => navigate({ search: (now) => ({ ...now, cursor: next }) })}
      />
      <SendAlert opened={isSending} onClose={sending.close} />
    </Page>
  );
}
