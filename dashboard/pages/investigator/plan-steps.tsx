import { Accordion, ActionIcon, Badge, Group, Stack, Text, Tooltip } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconCopy, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { planStepId } from '../../../domain/playbook/plan-diff.js';
import type { Plan, PlanStep } from '../../../domain/playbook/playbook.js';
import { PlanStepForm } from './plan-step-form.js';
import { formatConnector, formatVerb } from './skill-names.js';

/** The steps of a plan in their order. One step is open at a time. */
export function PlanSteps({ plan, onChange }: { plan: Plan; onChange: (plan: Plan) => void }) {
  const [open, setOpen] = useState<string | null>(null);
  const { steps } = plan;
  const put = (changed: readonly PlanStep[]) => onChange({ steps: [...changed] });
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
                title={describeStep(step)}
                step={step}
                isFirst={index === 0}
                isLast={index === steps.length - 1}
                onMove={(by) => put(moveStep(steps, index, by))}
                onCopy={() => {
                  const copy = copyStep(step, steps);
                  put(steps.toSpliced(index + 1, 0, copy));
                  setOpen(planStepId(copy));
                }}
                onRemove={() => put(steps.toSpliced(index, 1))}
              />
            </Group>
            <Accordion.Panel>
              {open === id && <PlanStepForm step={step} onChange={(changed) => put(steps.with(index, changed))} />}
            </Accordion.Panel>
          </Accordion.Item>
        );
      })}
    </Accordion>
  );
}

function StepHeading({ step, number }: { step: PlanStep; number: number }) {
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
}

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
      return 'Search the records of the third parties';
    case 'summarise':
      return 'Conclude';
  }
}

function StepActions(props: {
  title: string;
  step: PlanStep;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: 1 | -1) => void;
  onCopy: () => void;
  onRemove: () => void;
}) {
  const { title, step, isFirst, isLast, onMove, onCopy, onRemove } = props;
  const actions = [
    { name: 'Move up', icon: <IconArrowUp size={16} />, run: () => onMove(-1), isOff: isFirst },
    { name: 'Move down', icon: <IconArrowDown size={16} />, run: () => onMove(1), isOff: isLast },
    { name: 'Duplicate', icon: <IconCopy size={16} />, run: onCopy, isOff: step.do !== 'ask' && step.do !== 'propose' },
    { name: 'Remove', icon: <IconTrash size={16} />, run: onRemove, isOff: step.do === 'summarise' },
  ];
  return (
    <Group gap={2} wrap="nowrap" visibleFrom="xs">
      {actions.map(({ name, icon, run, isOff }) => (
        <Tooltip key={name} label={name}>
          <ActionIcon variant="subtle" color="gray" aria-label={`${name}: ${title}`} disabled={isOff} onClick={run}>
            {icon}
          </ActionIcon>
        </Tooltip>
      ))}
    </Group>
  );
}

function moveStep(steps: readonly PlanStep[], index: number, by: 1 | -1): PlanStep[] {
  const step = steps[index];
  return step === undefined ? [...steps] : steps.toSpliced(index, 1).toSpliced(index + by, 0, step);
}

/** Only questions and proposals can be there twice. */
function copyStep(step: PlanStep, steps: readonly PlanStep[]): PlanStep {
  if (step.do !== 'ask' && step.do !== 'propose') return step;
  const taken = new Set(steps.map(planStepId));
  const number = [2, 3, 4, 5, 6, 7, 8, 9].find((each) => !taken.has(`${step.id}-${each}`)) ?? steps.length;
  return { ...step, id: `${step.id}-${number}` };
}
