import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Item } from '../../api.js';
import type { Column } from '../../components/data-table.js';
import { TimeFilter } from '../../components/filters.js';
import { PagedList } from '../../components/paged-list.js';
import { SearchField } from '../../components/search-field.js';
import { EmptyState } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { auditQuery } from '../../queries/users.js';

type AuditEntry = Item<'/audit'>;

const COLUMNS: Column<AuditEntry>[] = [
  { key: 'at', title: 'Time', render: (row) => <Time at={row.at} /> },
  { key: 'principal_name', title: 'Actor', render: (row) => row.principal_name },
  { key: 'action', title: 'Action', render: (row) => row.action },
  { key: 'target', title: 'Target', render: (row) => <span className="breakable">{row.target}</span> },
  { key: 'organization_code', title: 'Organization', render: (row) => row.organization_code ?? '–' },
  { key: 'details', title: 'Details', render: (row) => <Details details={row.details} /> },
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
  const search = useSearch({ from: '/inside/settings' });
  const { cursor, action, who, target, from, to } = search;
  const navigate = useNavigate({ from: '/settings' });
  const filters = { action, principal_name: who, target, at_from: from, at_before: to };
  const query = useQuery(auditQuery({ ...filters, cursor }));
  /** A changed filter starts at the newest row. */
  const filter = (changed: Partial<typeof search>) =>
    navigate({ search: (now) => ({ ...now, cursor: undefined, ...changed }), replace: true });
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Stack>
      <Text size="sm">Changes made through the API, newest first.</Text>
      <Group gap="xs" role="search">
        <SearchField
          aria-label="Action"
          placeholder="Action (exact)"
          value={action}
          onSearch={(found) => filter({ action: found })}
          w={180}
        />
        <SearchField aria-label="Actor" placeholder="Actor (exact)" value={who} onSearch={(found) => filter({ who: found })} w={180} />
        <SearchField
          aria-label="Target"
          placeholder="Target ID (exact)"
          value={target}
          onSearch={(found) => filter({ target: found })}
          w={{ base: '100%', xs: 220 }}
        />
        <TimeFilter label="From" value={from} onChange={(value) => filter({ from: value })} />
        <TimeFilter label="Before" value={to} onChange={(value) => filter({ to: value })} />
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
        getKey={({ entry_no }) => String(entry_no)}
        empty={
          isFiltered ? (
            <EmptyState title="No entries match these filters">
              <Text size="sm">
                Action, actor and target must match exactly: DEMO-CASE-1 does not find DEMO-CASE-12. To find created alerts (alert.create),
                filter by time, not by actor.
              </Text>
            </EmptyState>
          ) : (
            <EmptyState title="No entries yet" />
          )
        }
        cursor={cursor}
        onMove={(next) => navigate({ search: (now) => ({ ...now, cursor: next }) })}
      />
    </Stack>
  );
}
