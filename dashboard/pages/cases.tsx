import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { CaseSummary } from '../../domain/case.js';
import { api, type Page as ListPage } from '../api.js';
import { CASE_STATUS_LABELS, CaseStatusBadge, SeverityBadge, VerdictBadge } from '../components/badges.js';
import { type Column, DataTable } from '../components/data-table.js';
import { Page, PageLink, Paging } from '../components/page.js';
import { EmptyState, ErrorState, PageSkeleton } from '../components/states.js';
import { Time } from '../components/time.js';
import { useSession } from '../session.js';

const COLUMNS: Column<CaseSummary>[] = [
  {
    header: 'Case',
    accessorKey: 'case_id',
    cell: ({ row: { original } }) => (
      <PageLink to="/cases/$caseId" params={{ caseId: original.case_id }} size="sm" style={{ whiteSpace: 'nowrap' }}>
        {original.case_id}
      </PageLink>
    ),
  },
  { header: 'Verdict', accessorKey: 'verdict', cell: ({ row }) => <VerdictBadge verdict={row.original.verdict} /> },
  { header: 'Severity', accessorKey: 'severity', cell: ({ row }) => <SeverityBadge severity={row.original.severity} /> },
  { header: 'Status', accessorKey: 'status', cell: ({ row }) => <CaseStatusBadge status={row.original.status} /> },
  {
    header: 'Why',
    accessorKey: 'summary',
    cell: ({ row }) => (
      <Text size="sm" lineClamp={2} maw={420} className="breakable">
        {decisive(row.original.summary)}
      </Text>
    ),
  },
  { header: 'Assignee', accessorKey: 'assignee', cell: ({ row }) => row.original.assignee ?? '–' },
  { header: 'Investigator', accessorKey: 'playbook', cell: ({ row }) => row.original.playbook ?? '–' },
  { header: 'Opened', accessorKey: 'opened_at', cell: ({ row }) => <Time at={row.original.opened_at} /> },
];

/** The summary names the verdict first, which has its own column, then what decided it. */
function decisive(summary: string): string {
  return summary.split('\n').slice(1).join(' · ') || summary;
}

const STATUSES = Object.entries(CASE_STATUS_LABELS).map(([value, label]) => ({ value, label }));
const SEVERITIES = ['critical', 'high', 'medium', 'low', 'informational'];
const VERDICTS = ['malicious', 'suspicious', 'inconclusive', 'benign'];
const PAGE_SIZE = 50;

export function CasesPage() {
  const { status, severity, verdict, assignee, organization, cursor } = useSearch({ from: '/inside/cases' });
  const navigate = useNavigate({ from: '/cases' });
  const { name } = useSession();
  const filters = { status, severity, verdict, assignee, organization_code: organization };
  const { data, error, refetch } = useQuery({
    queryKey: ['cases', filters, cursor ?? null],
    queryFn: () => api.get<ListPage<CaseSummary>>('/cases', { ...filters, cursor, limit: PAGE_SIZE }),
    placeholderData: keepPreviousData,
  });
  const filter = (changed: Record<string, string | undefined>) =>
    navigate({ search: (now) => ({ ...now, cursor: undefined, ...changed }), replace: true });
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Page title="Cases">
      <Group gap="xs" role="search">
        <Select
          aria-label="Status"
          placeholder="Any status"
          data={STATUSES}
          value={status ?? null}
          onChange={(value) => filter({ status: value ?? undefined })}
          clearable
          w={150}
        />
        <Select
          aria-label="Severity"
          placeholder="Any severity"
          data={SEVERITIES}
          value={severity ?? null}
          onChange={(value) => filter({ severity: value ?? undefined })}
          clearable
          w={150}
        />
        <Select
          aria-label="Verdict"
          placeholder="Any verdict"
          data={VERDICTS}
          value={verdict ?? null}
          onChange={(value) => filter({ verdict: value ?? undefined })}
          clearable
          w={150}
        />
        <TextInput
          key={assignee ?? ''}
          aria-label="Assignee"
          placeholder="Assignee"
          defaultValue={assignee}
          onBlur={({ currentTarget }) => filter({ assignee: currentTarget.value || undefined })}
          onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
          w={150}
        />
        <Button variant="default" size="sm" onClick={() => filter({ assignee: name })}>
          Mine
        </Button>
        {isFiltered && (
          <Button variant="subtle" size="sm" onClick={() => navigate({ search: {} })}>
            Clear filters
          </Button>
        )}
      </Group>
      {error && <ErrorState error={error} again={refetch} />}
      {!data && !error && <PageSkeleton />}
      {data && (
        <>
          <DataTable
            label="Cases"
            columns={COLUMNS}
            rows={data.items}
            keyOf={(found) => found.case_id}
            empty={
              isFiltered ? (
                <EmptyState title="No case fits these filters" />
              ) : (
                <EmptyState title="No cases yet">
                  <Text size="sm">A case is opened for every alert as soon as its investigation begins.</Text>
                </EmptyState>
              )
            }
          />
          <Paging cursor={cursor} next={data.next_cursor} onMove={(next) => navigate({ search: (now) => ({ ...now, cursor: next }) })} />
        </>
      )}
    </Page>
  );
}
