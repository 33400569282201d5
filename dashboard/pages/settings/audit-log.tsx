import { Button, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { AuditEntry } from '../../../domain/identity/audit.js';
import { api, type Page } from '../../api.js';
import type { Column } from '../../components/data-table.js';
import { MomentFilter } from '../../components/filters.js';
import { PagedList } from '../../components/paged-list.js';
import { SearchField } from '../../components/search-field.js';
import { EmptyState } from '../../components/states.js';
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

const NO_FILTERS = { action: undefined, who: undefined, target: undefined, from: undefined, to: undefined };

export function AuditLog() {
  const { cursor, action, who, target, from, to } = useSearch({ from: '/inside/settings' });
  const navigate = useNavigate({ from: '/settings' });
  const filters = { action, principal_name: who, target, at_from: from, at_before: to };
  const query = useQuery({
    queryKey: ['settings', '/audit', filters, cursor ?? null],
    queryFn: () => api.get<Page<AuditEntry>>('/audit', { ...filters, cursor, limit: PAGE_SIZE }),
    placeholderData: keepPreviousData,
  });
  /** Another filter begins at the newest again. */
  const filter = (changed: Record<string, string | undefined>) =>
    navigate({ search: (now) => ({ ...now, cursor: undefined, ...changed }), replace: true });
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Stack>
      <Text size="sm">Who changed what through the API, newest first.</Text>
      <Group gap="xs" role="search">
        <SearchField
          aria-label="Action"
          placeholder="What: api-key.create"
          value={action}
          onSearch={(found) => filter({ action: found })}
          w={180}
        />
        <SearchField aria-label="Who" placeholder="Who: name of the key" value={who} onSearch={(found) => filter({ who: found })} w={180} />
        <SearchField
          aria-label="Target"
          placeholder="Of what: its whole id"
          value={target}
          onSearch={(found) => filter({ target: found })}
          w={{ base: '100%', xs: 220 }}
        />
        <MomentFilter label="From" value={from} onChange={(value) => filter({ from: value })} />
        <MomentFilter label="Before" value={to} onChange={(value) => filter({ to: value })} />
        {isFiltered && (
          <Button variant="subtle" size="xs" onClick={() => filter(NO_FILTERS)}>
            Clear filters
          </Button>
        )}
      </Group>
      <PagedList
        query={query}
        label="Audit log"
        columns={COLUMNS}
        keyOf={({ entry_no }) => String(entry_no)}
        empty={
          isFiltered ? (
            <EmptyState title="No entry fits these filters">
              <Text size="sm">
                What, who and of what are compared as a whole: DEMO-CASE-1 does not find DEMO-CASE-12. Alerts that came (alert.create) are
                found by time alone, not by who sent them.
              </Text>
            </EmptyState>
          ) : (
            <EmptyState title="Nothing has been changed yet" />
          )
        }
        cursor={cursor}
        onMove={(next) => navigate({ search: (now) => ({ ...now, cursor: next }) })}
      />
    </Stack>
  );
}
