import { Alert, Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { RecordConclusion } from '../../domain/record/record.js';
import type { ListedRecord, RecordCopy } from '../../domain/record/record-list.js';
import { SeverityBadge } from '../components/badges.js';
import { type Column, DataTable } from '../components/data-table.js';
import { ChoiceFilter, OrganizationFilter, TimeFilter } from '../components/filters.js';
import { useFullList } from '../components/full-list.js';
import { Page } from '../components/page.js';
import { PagedList } from '../components/paged-list.js';
import { SearchField } from '../components/search-field.js';
import { EmptyState, ErrorState } from '../components/states.js';
import { Time } from '../components/time.js';
import { RECORD_LABELS, toChoices } from '../options.js';
import { recordCopiesQuery, recordsQuery } from '../queries/connections.js';

/** Shades with enough contrast for the label in both color schemes. */
const CONCLUSION_COLORS: Readonly<Record<RecordConclusion, string>> = {
  malicious: 'red.9',
  unwanted: 'orange.9',
  benign: 'teal.9',
  test: 'gray.7',
};

const COLUMNS: Column<ListedRecord>[] = [
  {
    key: 'title',
    title: 'Title',
    render: (record) => (
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
  { key: 'kind', title: 'Kind', render: (row) => RECORD_LABELS[row.kind] },
  { key: 'connection', title: 'Connection', render: (row) => row.connection },
  { key: 'severity', title: 'Severity', render: (row) => <SeverityBadge severity={row.severity} /> },
  {
    key: 'state',
    title: 'State',
    render: (row) => (
      <Text size="sm" lineClamp={2} maw={220} className="breakable">
        {row.state}
      </Text>
    ),
  },
  {
    key: 'conclusion',
    title: 'Conclusion',
    render: (row) =>
      row.conclusion === null ? (
        '–'
      ) : (
        <Badge color={CONCLUSION_COLORS[row.conclusion]} tt="capitalize">
          {row.conclusion}
        </Badge>
      ),
  },
  { key: 'updated_at', title: 'Time', render: (row) => <Time at={row.updated_at ?? row.happened_at} stacked /> },
];

/** The third parties' alerts, incidents, investigations and own indicators that investigations copied. */
export function RecordsPage() {
  const search = useSearch({ from: '/inside/records' });
  const { text, kind, connection, organization, since, cursor } = search;
  const navigate = useNavigate({ from: '/records' });
  const copies = useFullList(recordCopiesQuery);
  const filters = { text, kind, connection_id: connection, organization_code: organization, since };
  const query = useQuery(recordsQuery({ ...filters, cursor }));
  const filter = (changed: typeof search) => navigate({ search: (now) => ({ ...now, cursor: undefined, ...changed }), replace: true });
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Page title="Records">
      <Group gap="xs" role="search">
        <SearchField
          aria-label="Search records"
          placeholder="Host, account, hash … or words in the title"
          value={text}
          onSearch={(found) => filter({ text: found })}
          w={{ base: '100%', xs: 320 }}
        />
        <ChoiceFilter
          label="Kind"
          placeholder="Any kind"
          data={toChoices(RECORD_LABELS)}
          value={kind}
          onChange={(value) => filter({ kind: value })}
        />
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
              <Text size="sm">Search for a whole name, address or hash, or for words in the title.</Text>
            </EmptyState>
          ) : (
            <EmptyState title="No records yet">
              <Text size="sm">An investigation copies the connected third parties' records when it asks about them.</Text>
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
  { key: 'connection', title: 'Connection', render: (row) => row.connection },
  { key: 'kind', title: 'Kind', render: (row) => RECORD_LABELS[row.kind] },
  { key: 'covered_from', title: 'Covers since', render: (row) => <Time at={row.covered_from} stacked /> },
  {
    key: 'read_at',
    title: 'Last read',
    render: (row) => (row.is_reading ? <Text size="sm">Reading now</Text> : <Time at={row.read_at} stacked />),
  },
  {
    key: 'last_error',
    title: 'Last error',
    render: (row) => (
      <Text size="sm" maw={420} className="breakable">
        {row.last_error ?? '–'}
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
