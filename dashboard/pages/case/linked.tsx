import { Code, Group, Table, Text } from '@mantine/core';
import type { CaseDetail } from '../../../domain/case/case.js';
import { VerdictBadge } from '../../components/badges.js';
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
  return (
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
          {found.linked.map((linked) => (
            <Table.Tr key={linked.alert_id}>
              <Table.Td>
                <PageLink to="/alerts/$alertId" params={{ alertId: linked.alert_id }} size="sm">
                  {linked.alert_id}
                </PageLink>
                <Text size="xs" className="breakable">
                  {linked.alert_type}
                </Text>
              </Table.Td>
              <Table.Td>
                {linked.case_id === null ? (
                  '–'
                ) : (
                  <PageLink to="/cases/$caseId" params={{ caseId: linked.case_id }} size="sm">
                    {linked.case_id}
                  </PageLink>
                )}
              </Table.Td>
              <Table.Td>
                <VerdictBadge verdict={linked.verdict} />
              </Table.Td>
              <Table.Td>
                <Group gap={4}>
                  {linked.shares.map(({ kind, value }) => (
                    <Code key={`${kind} ${value}`} className="breakable">
                      {kind} {value}
                    </Code>
                  ))}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
