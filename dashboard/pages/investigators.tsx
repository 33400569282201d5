import { Text } from '@mantine/core';
import type { PlaybookSummary } from '../../services/playbooks/wire.js';
import { SeverityBadge } from '../components/badges.js';
import { type Column, DataTable } from '../components/data-table.js';
import { useFullList } from '../components/full-list.js';
import { Page, PageLink } from '../components/page.js';
import { EmptyState, ErrorState, PageSkeleton } from '../components/states.js';
import { playbooksQuery } from '../queries/playbooks.js';
import { formatCount, formatSuccess, formatTypicalDuration, Origin } from './investigator/runs.js';

const COLUMNS: Column<PlaybookSummary>[] = [
  {
    key: 'name',
    title: 'Investigator',
    render: (row) => (
      <PageLink to="/investigators/$playbookId" params={{ playbookId: row.playbook_id }} size="sm">
        {row.name}
      </PageLink>
    ),
  },
  {
    key: 'alert_types',
    title: 'Alert types',
    render: (row) => (
      <Text size="sm" lineClamp={2} miw={200} className="breakable" title={listTypes(row)}>
        {listTypes(row)}
      </Text>
    ),
  },
  { key: 'origin', title: 'Origin', render: (row) => <Origin playbook={row} /> },
  { key: 'organization_code', title: 'Organization', render: (row) => row.organization_code ?? 'All' },
  { key: 'severity', title: 'Severity', render: (row) => <SeverityBadge severity={row.severity} /> },
  { key: 'runs', title: 'Runs', render: (row) => formatCount(row) },
  { key: 'success', title: 'Success', render: (row) => formatSuccess(row) },
  { key: 'typical_seconds', title: 'Typical duration', render: (row) => formatTypicalDuration(row) },
];

function listTypes({ alert_types: types, alert_type_count: count }: PlaybookSummary): string {
  const unlisted = count - types.length;
  return types.length === 0 ? 'None' : `${types.join(', ')}${unlisted > 0 ? ` and ${unlisted} more` : ''}`;
}

export function InvestigatorsPage() {
  const { items, error, refetch, more } = useFullList(playbooksQuery);
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
