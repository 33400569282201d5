import { Accordion, ActionIcon, Badge, Group, Stack, Text, Tooltip } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconCopy, IconTrash } from '@tabler/icons-react';
import { memo, useState } from 'react';
import type { Plan, PlanStep } from '../../../domain/playbook/playbook.js';
import { findFreeStepId, isRepeatable, planStepId } from '../../../domain/playbook/step-id.js';
import { PlanStepForm } from './plan-step-form.js';
import { formatConnector, formatVerb } from './skill-names.js';

export type PlanEdit = (steps: readonly PlanStep[]) => readonly PlanStep[];

/** The steps of a plan in their order. One step is open at a time. `onEdit` has to be the same function in each render. */
export function PlanSteps({ plan: { steps }, onEdit }: { plan: Plan; onEdit: (edit: PlanEdit) => void }) {
  const [open, setOpen] = useState<string | null>(null);
  const ids = new Set(steps.map(planStepId));
  return (
    <Accordion value={open} onChange={setOpen} variant="separated" aria-label="Steps">
      {steps.map((step, index) => {
        const id = planStepId(step);
        return (
          <Accordion.Item key={id} value={id}>
            <Group gap={4} wrap="nowrap" pr="xs">
              <Accordion.Control style={{ flex: 1, minWidth: 0 }}>
                <StepHeading step={step} number={index + 1} />
              </Accordion.Control>
              <StepActions
                step={step}
                index={index}
                isLast={index === steps.length - 1}
                copyId={isRepeatable(step) ? findFreeStepId(step.id, ids) : null}
                onEdit={onEdit}
                onOpen={setOpen}
              />
            </Group>
            <Accordion.Panel>
              {open === id && <PlanStepForm step={step} onChange={(changed) => onEdit((before) => before.with(index, changed))} />}
            </Accordion.Panel>
          </Accordion.Item>
        );
      })}
    </Accordion>
  );
}

/** Each typed character renders the plan, which can have eighty steps. Only the changed step renders its parts again. */
const StepHeading = memo(({ step, number }: { step: PlanStep; number: number }) => {
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" c="dimmed" w={28}>
        {number}
      </Text>
      <Badge variant="light" color={step.do === 'propose' ? 'orange' : 'blue'} tt="none" style={{ flexShrink: 0 }}>
        {step.do}
      </Badge>
      <Stack gap={0} miw={0}>
        <Text size="sm" fw={600} truncate>
          {describeStep(step)}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {step.why}
        </Text>
      </Stack>
    </Group>
  );
});

export function describeStep(step: PlanStep): string {
  switch (step.do) {
    case 'ask':
    case 'propose':
      return `${formatConnector(step.skill)}: ${formatVerb(step.skill)} (${step.id})`;
    case 'extract-indicators':
      return 'Find indicators in the alert';
    case 'correlate':
      return 'Find earlier alerts with the same indicators';
    case 'search-records':
      return 'Search third-party records';
    case 'summarise':
      return 'Conclude';
  }
}

interface StepActionsProps {
  readonly step: PlanStep;
  readonly index: number;
  readonly isLast: boolean;
  /** The id for a copy. null: the step cannot be in a plan twice. */
  readonly copyId: string | null;
  readonly onEdit: (edit: PlanEdit) => void;
  readonly onOpen: (id: string) => void;
}

const StepActions = memo(({ step, index, isLast, copyId, onEdit, onOpen }: StepActionsProps) => {
  const move = (by: 1 | -1) => onEdit((steps) => steps.toSpliced(index, 1).toSpliced(index + by, 0, step));
  const copy = () => {
    if (copyId === null || !isRepeatable(step)) return;
    onEdit((steps) => steps.toSpliced(index + 1, 0, { ...step, id: copyId }));
    onOpen(copyId);
  };
  const remove = () => onEdit((steps) => steps.toSpliced(index, 1));
  const actions = [
    { name: 'Move up', icon: <IconArrowUp size={16} />, run: () => move(-1), isOff: index === 0 },
    { name: 'Move down', icon: <IconArrowDown size={16} />, run: () => move(1), isOff: isLast },
    { name: 'Duplicate', icon: <IconCopy size={16} />, run: copy, isOff: copyId === null },
    { name: 'Remove', icon: <IconTrash size={16} />, run: remove, isOff: step.do === 'summarise' },
  ];
  return (
    <Group gap={2} wrap="nowrap" visibleFrom="xs">
      {actions.map(({ name, icon, run, isOff }) => (
        <Tooltip key={name} label={name}>
          <ActionIcon variant="subtle" color="gray" aria-label={`${name}: ${describeStep(step)}`} disabled={isOff} onClick={run}>
            {icon}
          </ActionIcon>
        </Tooltip>
      ))}
    </Group>
  );
});
