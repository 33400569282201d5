import { Alert, Badge, Card, Group, List, Stack, Text, Title } from '@mantine/core';
import { describeChange, listDismissed, type PlanEffect } from '../../../domain/playbook/comparison.js';
import { diffPlans, type StepChange } from '../../../domain/playbook/plan-diff.js';
import type { Plan } from '../../../domain/playbook/playbook.js';
import { planStepId } from '../../../domain/playbook/step-id.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { PageLink } from '../../components/page.js';
import { describeStep } from './plan-steps.js';

const MAX_SHOWN = 20;

const COLUMNS: Column<PlanEffect['changed'][number]>[] = [
  {
    key: 'alert',
    title: 'Alert',
    render: ({ alert_id: alertId }) => (
      <PageLink to="/alerts/$alertId" params={{ alertId }} size="sm">
        {alertId}
      </PageLink>
    ),
  },
  { key: 'change', title: 'Change', render: (row) => <span className="breakable">{describeChange(row)}</span> },
  { key: 'decided_by', title: 'Decided by', render: (row) => <span className="breakable">{row.decided_by}</span> },
];

const COLORS: Readonly<Record<StepChange['kind'], string>> = { added: 'teal', removed: 'red', changed: 'blue', moved: 'gray' };

/** The edits so far and, after a dry run, the results of past alerts that they change. */
export function PlanReview(props: { before: Plan; after: Plan; version: number; effect: PlanEffect | undefined }) {
  const { before, after, version, effect } = props;
  const changes = diffPlans(before, after);
  const titles = new Map([...before.steps, ...after.steps].map((step) => [planStepId(step), describeStep(step)]));
  return (
    <Card withBorder component="section" aria-label="Changes">
      <Stack gap="sm">
        <Title order={3} fz="md">
          Changes since version {version}
        </Title>
        {changes.length === 0 && <Text size="sm">No changes yet.</Text>}
        {changes.map((change) => (
          <ChangedStep key={`${change.kind} ${change.stepId}`} change={change} title={titles.get(change.stepId) ?? change.stepId} />
        ))}
        {effect && <Effect effect={effect} />}
      </Stack>
    </Card>
  );
}

function ChangedStep({ change, title }: { change: StepChange; title: string }) {
  return (
    <Stack gap={2}>
      <Group gap="xs">
        <Badge variant="light" color={COLORS[change.kind]} tt="none">
          {change.kind}
        </Badge>
        <Text size="sm" fw={600}>
          {title}
        </Text>
      </Group>
      <List size="sm" withPadding>
        {change.fields.map(({ field, before, after }) => (
          <List.Item key={field} className="breakable">
            {field}: <del>{before ?? 'none'}</del> → <ins>{after ?? 'none'}</ins>
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}

function Effect({ effect }: { effect: PlanEffect }) {
  const dismissed = listDismissed(effect.changed);
  const count = `${effect.compared} past ${effect.compared === 1 ? 'alert' : 'alerts'}`;
  return (
    <Stack gap="xs" role="status">
      <Title order={4} fz="sm">
        Effect on past alerts
      </Title>
      {effect.compared === 0 && <Text size="sm">This plan has no completed investigations yet, so there is nothing to compare.</Text>}
      {effect.compared > 0 && effect.changed.length === 0 && <Text size="sm">The result of each of the last {count} stays the same.</Text>}
      {dismissed.length > 0 && (
        <Alert color="red" title="This plan dismisses attacks">
          {dismissed.length} of the last {count} would change from malicious to benign.
        </Alert>
      )}
      {effect.changed.length > 0 && (
        <>
          <Text size="sm">
            Changed: {effect.changed.length} of {count}
          </Text>
          <DataTable
            label="Changed results"
            minWidth={480}
            columns={COLUMNS}
            rows={effect.changed.slice(0, MAX_SHOWN)}
            getKey={({ alert_id }) => alert_id}
            empty={null}
          />
        </>
      )}
    </Stack>
  );
}
