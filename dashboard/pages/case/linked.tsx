import { Group, Text } from '@mantine/core';
import type { CaseDetail } from '../../../domain/case/case.js';
import { VerdictBadge } from '../../components/badges.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { EntityLink } from '../../components/entities.js';
import { PageLink } from '../../components/page.js';
import { EmptyState } from '../../components/states.js';

const createColumns = (organizationCode: string): Column<CaseDetail['linked'][number]>[] => [
  {
    key: 'alert',
    title: 'Alert',
    render: ({ alert_id: alertId, alert_type: type }) => (
      <>
        <PageLink to="/alerts/$alertId" params={{ alertId }} size="sm">
          {alertId}
        </PageLink>
        <Text size="xs" className="breakable">
          {type}
        </Text>
      </>
    ),
  },
  {
    key: 'case',
    title: 'Case',
    render: ({ case_id: caseId }) =>
      caseId === null ? (
        '–'
      ) : (
        <PageLink to="/cases/$caseId" params={{ caseId }} size="sm">
          {caseId}
        </PageLink>
      ),
  },
  { key: 'verdict', title: 'Verdict', render: ({ verdict }) => <VerdictBadge verdict={verdict} /> },
  {
    key: 'shares',
    title: 'Shared indicators',
    render: ({ shares }) => (
      <Group gap={4}>
        {shares.map(({ kind, value }) => (
          <EntityLink key={`${kind} ${value}`} entity={{ kind, value }} organizationCode={organizationCode} />
        ))}
      </Group>
    ),
  },
];

/** Alerts of other cases that share an indicator. */
export function Linked({ found: { linked, linked_count: count, organization_code: code } }: { found: CaseDetail }) {
  return (
    <>
      {count > linked.length && (
        <Text size="sm" mb="xs" role="status">
          Shows the {linked.length} most related of {count} linked alerts.
        </Text>
      )}
      <DataTable
        label="Linked alerts"
        minWidth={480}
        columns={createColumns(code)}
        rows={linked}
        getKey={({ alert_id }) => alert_id}
        empty={
          <EmptyState title="No linked alerts">
            <Text size="sm">An alert is linked when it shares an indicator and is from the same organization and the last 30 days.</Text>
          </EmptyState>
        }
      />
    </>
  );
}
