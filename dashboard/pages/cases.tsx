import { Button, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { CaseStatus, CaseSummary } from '../../domain/case/case.js';
import type { Severity, Verdict, VerdictReason } from '../../domain/case/evidence.js';
import { api, pickOption, unwrap } from '../api.js';
import { CASE_STATUS_LABELS, CaseStatusBadge, SeverityBadge, VerdictBadge } from '../components/badges.js';
import type { Column } from '../components/data-table.js';
import { ChoiceFilter, OrganizationFilter } from '../components/filters.js';
import { Page, PageLink } from '../components/page.js';
import { PagedList } from '../components/paged-list.js';
import { SearchField } from '../components/search-field.js';
import { EmptyState } from '../components/states.js';
import { Time } from '../components/time.js';
import { useSession } from '../session.js';
import { formatPoints } from './case/evidence-list.js';

const COLUMNS: Column<CaseSummary>[] = [
  {
    header: 'Case',
    accessorKey: 'title',
    cell: ({ row: { original } }) => (
      <Stack gap={0} miw={220}>
        <PageLink to="/cases/$caseId" params={{ caseId: original.case_id }} size="sm" className="breakable">
          {original.title}
        </PageLink>
        <Text size="xs" c="dimmed">
          {original.case_id}
        </Text>
      </Stack>
    ),
  },
  {
    header: 'Verdict',
    accessorKey: 'verdict',
    cell: ({ row: { original } }) => (
      <Stack gap={4} align="flex-start">
        <VerdictBadge verdict={original.verdict} />
        {original.analyst_verdict !== null && (
          <Text size="xs" style={{ whiteSpace: 'nowrap' }}>
            Analyst: {original.analyst_verdict}
          </Text>
        )}
      </Stack>
    ),
  },
  { header: 'Severity', accessorKey: 'severity', cell: ({ row }) => <SeverityBadge severity={row.original.severity} /> },
  { header: 'Status', accessorKey: 'status', cell: ({ row }) => <CaseStatusBadge status={row.original.status} /> },
  {
    header: 'Reasons',
    accessorKey: 'summary',
    cell: ({ row }) => (
      <Text size="sm" lineClamp={2} miw={220} className="breakable">
        {row.original.reasons.map(formatReason).join(' · ') || row.original.summary}
      </Text>
    ),
  },
  { header: 'Assignee', accessorKey: 'assignee', cell: ({ row }) => row.original.assignee ?? '–' },
  { header: 'Investigator', accessorKey: 'playbook', cell: ({ row }) => row.original.playbook ?? '–' },
  { header: 'Opened', accessorKey: 'opened_at', cell: ({ row }) => <Time at={row.original.opened_at} stacked /> },
];

function formatReason({ points, text }: VerdictReason): string {
  return points === null ? text : `${formatPoints(points)} ${text}`;
}

const STATUSES = Object.entries(CASE_STATUS_LABELS).map(([value, label]) => ({ value, label }));
const CASE_STATUSES: readonly CaseStatus[] = ['open', 'in_progress', 'closed'];
const SEVERITIES: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'informational'];
const VERDICTS: readonly Verdict[] = ['malicious', 'suspicious', 'inconclusive', 'benign'];
const PAGE_SIZE = 50;

export function CasesPage() {
  const { text, status, severity, verdict, assignee, unassigned, organization, cursor } = useSearch({ from: '/inside/cases' });
  const navigate = useNavigate({ from: '/cases' });
  const { name } = useSession();
  const filters = {
    text,
    status: pickOption(CASE_STATUSES, status),
    severity: pickOption(SEVERITIES, severity),
    verdict: pickOption(VERDICTS, verdict),
    assignee,
    unassigned: unassigned === 'true' ? (true as const) : undefined,
    organization_code: organization,
  };
  const query = useQuery({
    queryKey: ['cases', filters, cursor ?? null],
    queryFn: () => unwrap(api.GET('/cases', { params: { query: { ...filters, cursor, limit: PAGE_SIZE } } })),
    placeholderData: keepPreviousData,
  });
  const filter = (changed: Record<string, string | undefined>) =>
    navigate({ search: (now) => ({ ...now, cursor: undefined, ...changed }), replace: true });
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Page title="Cases">
      <Group gap="xs" role="search">
        <SearchField
          aria-label="Search cases"
          placeholder="Host, user, hash, words, case id…"
          value={text}
          onSearch={(value) => filter({ text: value })}
          w={250}
        />
        <ChoiceFilter
          label="Status"
          placeholder="Any status"
          data={STATUSES}
          value={status}
          onChange={(value) => filter({ status: value })}
        />
        <ChoiceFilter
          label="Severity"
          placeholder="Any severity"
          data={[...SEVERITIES]}
          value={severity}
          onChange={(value) => filter({ severity: value })}
        />
        <ChoiceFilter
          label="Verdict"
          placeholder="Any verdict"
          data={[...VERDICTS]}
          value={verdict}
          onChange={(value) => filter({ verdict: value })}
        />
        <OrganizationFilter value={organization} onChange={(value) => filter({ organization: value })} />
        <SearchField
          aria-label="Assignee"
          placeholder="Assignee"
          value={assignee}
          onSearch={(value) => filter({ assignee: value, unassigned: undefined })}
          w={130}
        />
        <Button variant="default" px="sm" onClick={() => filter({ assignee: name, unassigned: undefined })}>
          Assigned to me
        </Button>
        <Button variant="default" px="sm" onClick={() => filter({ assignee: undefined, unassigned: 'true' })}>
          Unassigned
        </Button>
        {isFiltered && (
          <Button variant="subtle" onClick={() => navigate({ search: {} })}>
            Clear filters
          </Button>
        )}
      </Group>
      <PagedList
        query={query}
        label="Cases"
        minWidth={900}
        columns={COLUMNS}
        getKey={(found) => found.case_id}
        empty={
          isFiltered ? (
            <EmptyState title="No cases match these filters">
              <Text size="sm">Clear a filter to see more cases.</Text>
            </EmptyState>
          ) : (
            <EmptyState title="No cases yet">
              <Text size="sm">The service opens a case for each alert when its investigation starts.</Text>
            </EmptyState>
          )
        }
        cursor={cursor}
        onMove={(next) => navigate({ search: (now) => ({ ...now, cursor: next }) })}
      />
    </Page>
  );
}
