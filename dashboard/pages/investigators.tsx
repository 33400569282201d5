import { Text } from '@mantine/core';
import type { Playbook } from '../../services/playbooks/wire.js';
import { api, unwrap } from '../api.js';
import { SeverityBadge } from '../components/badges.js';
import { type Column, DataTable } from '../components/data-table.js';
import { useFullList } from '../components/full-list.js';
import { Page, PageLink } from '../components/page.js';
import { EmptyState, ErrorState, PageSkeleton } from '../components/states.js';
import { formatCount, formatSuccess, formatTypicalDuration, Origin } from './investigator/runs.js';

const COLUMNS: Column<Playbook>[] = [
  {
    header: 'Investigator',
    accessorKey: 'name',
    cell: ({ row: { original } }) => (
      <PageLink to="/investigators/$playbookId" params={{ playbookId: original.playbook_id }} size="sm">
        {original.name}
      </PageLink>
    ),
  },
  {
    header: 'Alert types',
    accessorKey: 'alert_types',
    cell: ({ row: { original } }) => (
      <Text size="sm" lineClamp={2} miw={200} className="breakable" title={listTypes(original)}>
        {listTypes(original)}
      </Text>
    ),
  },
  { header: 'Origin', accessorKey: 'origin', cell: ({ row: { original } }) => <Origin playbook={original} /> },
  { header: 'Organization', accessorKey: 'organization_code', cell: ({ row }) => row.original.organization_code ?? 'All' },
  { header: 'Severity', accessorKey: 'severity', cell: ({ row }) => <SeverityBadge severity={row.original.severity} /> },
  { header: 'Runs', accessorKey: 'runs', cell: ({ row }) => formatCount(row.original) },
  { header: 'Success', accessorKey: 'success', cell: ({ row }) => formatSuccess(row.original) },
  {
    header: 'Typical duration',
    accessorKey: 'typical_seconds',
    cell: ({ row }) => formatTypicalDuration(row.original),
  },
];

function listTypes({ alert_types: types, alert_type_count: count }: Playbook): string {
  const unlisted = count - types.length;
  return types.length === 0 ? 'None' : `${types.join(', ')}${unlisted > 0 ? ` and ${unlisted} more` : ''}`;
}

export function InvestigatorsPage() {
  const { items, error, refetch, more } = useFullList(['playbooks', 'all'], (page) =>
    unwrap(api.GET('/playbooks', { params: { query: page } })),
  );
  return (
    <Page title="Investigators">
      {error && <ErrorState error={error} retry={refetch} />}
      {!items && !error && <PageSkeleton />}
      {items && (
        <DataTable
          label="Investigators"
          minWidth={860}
          columns={COLUMNS}
          rows={items}
          getKey={(playbook) => playbook.playbook_id}
          empty={
            <EmptyState title="No investigators yet">
              <Text size="sm">The service creates an investigator for the first alert of each new kind.</Text>
            </EmptyState>
          }
        />
      )}
      {more}
    </Page>
  );
}
