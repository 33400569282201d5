import { Alert, Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { RecordConclusion, RecordKind } from '../../domain/record/record.js';
import type { ListedRecord, RecordCopy } from '../../domain/record/record-list.js';
import { api, pickOption, toNumber, unwrap } from '../api.js';
import { SeverityBadge } from '../components/badges.js';
import { type Column, DataTable } from '../components/data-table.js';
import { ChoiceFilter, OrganizationFilter, TimeFilter } from '../components/filters.js';
import { useFullList } from '../components/full-list.js';
import { Page } from '../components/page.js';
import { PagedList } from '../components/paged-list.js';
import { SearchField } from '../components/search-field.js';
import { EmptyState, ErrorState } from '../components/states.js';
import { Time } from '../components/time.js';

const KIND_LABELS: Readonly<Record<RecordKind, string>> = {
  alert: 'Alert',
  incident: 'Incident',
  investigation: 'Investigation',
  'intelligence-alert': 'Intelligence alert',
  indicator: 'Own indicator',
};
const KINDS = Object.entries(KIND_LABELS).map(([value, label]) => ({ value, label }));
const RECORD_KINDS: readonly RecordKind[] = ['alert', 'incident', 'investigation', 'intelligence-alert', 'indicator'];
/** Shades with enough contrast for the label in both color schemes. */
const CONCLUSION_COLORS: Readonly<Record<RecordConclusion, string>> = {
  malicious: 'red.9',
  unwanted: 'orange.9',
  benign: 'teal.9',
  test: 'gray.7',
};

const COLUMNS: Column<ListedRecord>[] = [
  {
    header: 'Title',
    accessorKey: 'title',
    cell: ({ row: { original: record } }) => (
      <Stack gap={0} miw={220}>
        <Text size="sm" className="breakable">
          {record.title}
        </Text>
        <Text size="xs" c="dimmed" className="breakable">
          {record.record_id}
          {record.merged_into === null ? '' : `, merged into ${record.merged_into}`}
        </Text>
      </Stack>
    ),
  },
  { header: 'Kind', accessorKey: 'kind', cell: ({ row }) => KIND_LABELS[row.original.kind] },
  { header: 'Connection', accessorKey: 'connection' },
  { header: 'Severity', accessorKey: 'severity', cell: ({ row }) => <SeverityBadge severity={row.original.severity} /> },
  {
    header: 'State',
    accessorKey: 'state',
    cell: ({ row }) => (
      <Text size="sm" lineClamp={2} maw={220} className="breakable">
        {row.original.state}
      </Text>
    ),
  },
  {
    header: 'Conclusion',
    accessorKey: 'conclusion',
    cell: ({ row: { original } }) =>
      original.conclusion === null ? (
        '–'
      ) : (
        <Badge color={CONCLUSION_COLORS[original.conclusion]} tt="capitalize">
          {original.conclusion}
        </Badge>
      ),
  },
  {
    header: 'Time',
    accessorKey: 'updated_at',
    cell: ({ row: { original } }) => <Time at={original.updated_at ?? original.happened_at} stacked />,
  },
];

const PAGE_SIZE = 50;

/** The third parties' alerts, incidents, investigations and own indicators that investigations copied. */
export function RecordsPage() {
  const { text, kind, connection, organization, since, cursor } = useSearch({ from: '/inside/records' });
  const navigate = useNavigate({ from: '/records' });
  const copies = useFullList(['connections', 'record-copies'], (page) =>
    unwrap(api.GET('/third-party-record-copies', { params: { query: page } })),
  );
  const filters = {
    text,
    kind: pickOption(RECORD_KINDS, kind),
    connection_id: connection,
    organization_code: organization,
    since: toNumber(since),
  };
  const query = useQuery({
    queryKey: ['connections', 'records', filters, cursor ?? null],
    queryFn: () => unwrap(api.GET('/third-party-records', { params: { query: { ...filters, cursor, limit: PAGE_SIZE } } })),
    placeholderData: keepPreviousData,
  });
  const filter = (changed: Record<string, string | undefined>) =>
    navigate({ search: (now) => ({ ...now, cursor: undefined, ...changed }), replace: true });
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Page title="Records">
      <Group gap="xs" role="search">
        <SearchField
          aria-label="Search records"
          placeholder="Host, account, hash … or words of the title"
          value={text}
          onSearch={(found) => filter({ text: found })}
          w={{ base: '100%', xs: 320 }}
        />
        <ChoiceFilter label="Kind" placeholder="Any kind" data={KINDS} value={kind} onChange={(value) => filter({ kind: value })} />
        <ChoiceFilter
          label="Connection"
          placeholder="Any connection"
          width={200}
          data={listConnections(copies.items ?? [])}
          value={connection}
          onChange={(value) => filter({ connection: value })}
        />
        <OrganizationFilter value={organization} onChange={(value) => filter({ organization: value })} />
        <TimeFilter label="Since" value={since} onChange={(value) => filter({ since: value })} />
        {isFiltered && (
          <Button variant="subtle" size="xs" onClick={() => navigate({ search: {} })}>
            Clear filters
          </Button>
        )}
      </Group>
      <PagedList
        query={query}
        label="Records"
        minWidth={900}
        columns={COLUMNS}
        getKey={(record) => record.record_uuid}
        empty={
          isFiltered ? (
            <EmptyState title="No records match these filters">
              <Text size="sm">Search for a whole name, address or hash, or for words of the title.</Text>
            </EmptyState>
          ) : (
            <EmptyState title="No records yet">
              <Text size="sm">An investigation copies the records of the connected third parties when it asks about them.</Text>
            </EmptyState>
          )
        }
        cursor={cursor}
        onMove={(next) => navigate({ search: (now) => ({ ...now, cursor: next }) })}
      />
      <Copies copies={copies} />
    </Page>
  );
}

function listConnections(copies: readonly RecordCopy[]): { value: string; label: string }[] {
  return [...new Map(copies.map(({ connection_id: id, connection }) => [id, connection]))].map(([value, label]) => ({ value, label }));
}

const COPY_COLUMNS: Column<RecordCopy>[] = [
  { header: 'Connection', accessorKey: 'connection' },
  { header: 'Kind', accessorKey: 'kind', cell: ({ row }) => KIND_LABELS[row.original.kind] },
  { header: 'Covers since', accessorKey: 'covered_from', cell: ({ row }) => <Time at={row.original.covered_from} stacked /> },
  {
    header: 'Last read',
    accessorKey: 'read_at',
    cell: ({ row: { original } }) => (original.is_reading ? <Text size="sm">Reading now</Text> : <Time at={original.read_at} stacked />),
  },
  {
    header: 'Last error',
    accessorKey: 'last_error',
    cell: ({ row: { original } }) => (
      <Text size="sm" maw={420} className="breakable">
        {original.last_error ?? '–'}
      </Text>
    ),
  },
];

/** How fresh the copies are: a search finds only what was copied. */
function Copies({ copies: { items, error, refetch, more } }: { copies: ReturnType<typeof useFullList<RecordCopy>> }) {
  if (error) return <ErrorState error={error} retry={refetch} />;
  if (!items || items.length === 0) return null;
  const failed = items.filter(({ last_error: reason }) => reason !== null).length;
  return (
    <Card withBorder component="section" aria-labelledby="copies">
      <Title order={3} fz="md" mb="xs" id="copies">
        Copies
      </Title>
      <Text size="sm" mb="xs">
        The search covers these copies. An investigation brings a copy up to date before it asks.
      </Text>
      {failed > 0 && (
        <Alert color="yellow" mb="xs" p="xs">
          {failed === 1 ? 'One copy' : `${failed} copies`} could not be brought up to date.
        </Alert>
      )}
      <DataTable
        label="Copies"
        minWidth={700}
        columns={COPY_COLUMNS}
        rows={items}
        getKey={({ connection_id: id, kind }) => `${id} ${kind}`}
        empty={null}
      />
      {more}
    </Card>
  );
}
