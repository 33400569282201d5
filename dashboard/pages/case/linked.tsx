import { Group, Table, Text } from '@mantine/core';
import type { CaseDetail } from '../../../domain/case/case.js';
import { VerdictBadge } from '../../components/badges.js';
import { EntityLink } from '../../components/entities.js';
import { PageLink } from '../../components/page.js';
import { EmptyState } from '../../components/states.js';

/** Alerts of other cases that share an indicator. */
export function Linked({ found }: { found: CaseDetail }) {
  if (found.linked.length === 0)
    return (
      <EmptyState title="No linked alerts">
        <Text size="sm">An alert is linked when it shares an indicator and is from the same organization and the last 30 days.</Text>
      </EmptyState>
    );
  const { linked, linked_count: count } = found;
  return (
    <>
      {count > linked.length && (
        <Text size="sm" mb="xs" role="status">
          Shows the {linked.length} most related of {count} linked alerts.
        </Text>
      )}
      <Table.ScrollContainer minWidth={480}>
        <Table fz="sm" aria-label="Linked alerts">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Alert</Table.Th>
              <Table.Th>Case</Table.Th>
              <Table.Th>Verdict</Table.Th>
              <Table.Th>Shared indicators</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {linked.map((alert) => (
              <Table.Tr key={alert.alert_id}>
                <Table.Td>
                  <PageLink to="/alerts/$alertId" params={{ alertId: alert.alert_id }} size="sm">
                    {alert.alert_id}
                  </PageLink>
                  <Text size="xs" className="breakable">
                    {alert.alert_type}
                  </Text>
                </Table.Td>
                <Table.Td>
                  {alert.case_id === null ? (
                    '–'
                  ) : (
                    <PageLink to="/cases/$caseId" params={{ caseId: alert.case_id }} size="sm">
                      {alert.case_id}
                    </PageLink>
                  )}
                </Table.Td>
                <Table.Td>
                  <VerdictBadge verdict={alert.verdict} />
                </Table.Td>
                <Table.Td>
                  <Group gap={4}>
                    {alert.shares.map(({ kind, value }) => (
                      <EntityLink key={`${kind} ${value}`} entity={{ kind, value }} organizationCode={found.organization_code} />
                    ))}
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  );
}
