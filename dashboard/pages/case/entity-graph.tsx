import { Badge, Group, Paper, Stack, Text } from '@mantine/core';
import type { CaseGraph } from '../../../domain/case/case-graph.js';
import { EntityLink } from '../../components/entities.js';
import type { LayoutEdge } from '../../components/graph/elk-layout.js';
import { type DrawnNode, GraphView } from '../../components/graph/graph-view.js';
import { PageLink } from '../../components/page.js';
import { EmptyState } from '../../components/states.js';
import { ENTITY_LABELS } from '../../options.js';

const MAX_SHOWN = 30;
const ALERT = { width: 230, height: 58 };
const ENTITY = { width: 290, height: 50 };

/** The alerts on the left, their entities on the right. An entity in several alerts joins them. */
export function EntityGraph({ graph }: { graph: CaseGraph }) {
  if (graph.entities.length === 0)
    return (
      <EmptyState title="No entities">
        <Text size="sm">The service found no host, account, address or other indicator in the alerts of this case.</Text>
      </EmptyState>
    );
  const shown = graph.entities.slice(0, MAX_SHOWN);
  const nodes: DrawnNode[] = [
    ...graph.alerts.map((alert) => ({ id: alert.alert_id, ...ALERT, content: <AlertNode alert={alert} /> })),
    ...shown.map((entity) => ({
      id: nameNode(entity),
      ...ENTITY,
      content: <EntityNode entity={entity} organizationCode={graph.organization_code} />,
    })),
  ];
  const edges: LayoutEdge[] = shown.flatMap((entity) =>
    entity.alerts.map(({ alert_id }) => ({ id: `${alert_id} ${nameNode(entity)}`, source: alert_id, target: nameNode(entity) })),
  );
  return (
    <Stack gap="xs">
      <GraphView nodes={nodes} edges={edges} label="Case alerts and entities" />
      {graph.entity_count > shown.length && (
        <Text size="xs">
          {shown.length} of {graph.entity_count} entities: those in the most alerts, and those with a role.
        </Text>
      )}
    </Stack>
  );
}

function nameNode({ kind, value }: CaseGraph['entities'][number]): string {
  return `${kind} ${value}`;
}

function AlertNode({ alert }: { alert: CaseGraph['alerts'][number] }) {
  return (
    <Paper withBorder p={6} w={ALERT.width} h={ALERT.height} style={{ borderLeft: '4px solid var(--mantine-color-red-6)' }}>
      <Text size="xs" fw={600} truncate title={alert.alert_type}>
        {alert.alert_type}
      </Text>
      <PageLink to="/alerts/$alertId" params={{ alertId: alert.alert_id }} size="xs" truncate="end" display="block">
        {alert.alert_id}
      </PageLink>
    </Paper>
  );
}

function EntityNode({ entity, organizationCode }: { entity: CaseGraph['entities'][number]; organizationCode: string }) {
  const { kind, value, own, alerts } = entity;
  const roles = [...new Set(alerts.flatMap(({ role }) => role ?? []))];
  const color = own === null ? 'var(--mantine-color-blue-6)' : 'var(--mantine-color-teal-6)';
  return (
    <Paper
      withBorder
      p={5}
      w={ENTITY.width}
      h={ENTITY.height}
      title={value}
      style={{ borderLeft: `4px solid ${color}`, overflow: 'hidden' }}
    >
      <Group gap={6} wrap="nowrap">
        <Text size="xs" c="dimmed">
          {[ENTITY_LABELS[kind], ...roles].join(' · ')}
        </Text>
        {own !== null && (
          <Badge size="xs" variant="light" color="teal" tt="none">
            own
          </Badge>
        )}
      </Group>
      <Text size="xs" truncate component="div">
        <EntityLink entity={{ kind, value }} organizationCode={organizationCode} />
      </Text>
    </Paper>
  );
}
