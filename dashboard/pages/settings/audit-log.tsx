import { Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { AuditEntry } from '../../../domain/audit.js';
import { api, type Page } from '../../api.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { Paging } from '../../components/page.js';
import { EmptyState, ErrorState, PageSkeleton } from '../../components/states.js';
import { Time } from '../../components/time.js';

const PAGE_SIZE = 50;

const COLUMNS: Column<AuditEntry>[] = [
  { header: 'When', accessorKey: 'at', cell: ({ row }) => <Time at={row.original.at} /> },
  { header: 'Who', accessorKey: 'principal_name' },
  { header: 'What', accessorKey: 'action' },
  { header: 'Of what', accessorKey: 'target', cell: ({ row }) => <span className="breakable">{row.original.target}</span> },
  { header: 'Organization', accessorKey: 'organization_code', cell: ({ row }) => row.original.organization_code ?? '–' },
  { header: 'Details', accessorKey: 'details', cell: ({ row }) => <Details details={row.original.details} /> },
];

function Details({ details }: { details: AuditEntry['details'] }) {
  if (details === null) return '–';
  const text = Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
  return (
    <Text size="sm" maw={360} lineClamp={2} title={text} className="breakable">
      {text}
    </Text>
  );
}

export function AuditLog() {
  const { cursor } = useSearch({ from: '/inside/settings' });
  const navigate = useNavigate({ from: '/settings' });
  const { data, error, refetch } = useQuery({
    queryKey: ['settings', '/audit', cursor ?? null],
    queryFn: () => api.get<Page<AuditEntry>>('/audit', { cursor, limit: PAGE_SIZE }),
    placeholderData: keepPreviousData,
  });
  return (
    <Stack>
      <Text size="sm">Who changed what through the API, newest first.</Text>
      {error && <ErrorState error={error} again={refetch} />}
      {!data && !error && <PageSkeleton />}
      {data && (
        <>
          <DataTable
            label="Audit log"
            columns={COLUMNS}
            rows={data.items}
            keyOf={({ entry_no }) => String(entry_no)}
            empty={<EmptyState title="Nothing has been changed yet" />}
          />
          <Paging cursor={cursor} next={data.next_cursor} onMove={(next) => navigate({ search: (now) => ({ ...now, cursor: next }) })} />
        </>
      )}
    </Stack>
  );
}
