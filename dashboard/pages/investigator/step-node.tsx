import { Badge, Box, Group, Popover, Text, Title, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import type { ReactNode } from 'react';

export const STEP_WIDTH = 188;
export const STEP_HEIGHT = 62;

export type StepKind = 'find' | 'ask' | 'compare' | 'propose' | 'conclude';
const COLORS: Readonly<Record<StepKind, string>> = { find: 'gray', ask: 'blue', compare: 'cyan', propose: 'orange', conclude: 'teal' };

export interface DrawnStep {
  readonly id: string;
  /** The steps that it depends on. */
  readonly after: readonly string[];
  /** The third party that it calls. */
  readonly group?: string;
  readonly kind: StepKind;
  readonly title: string;
  /** One line next to the kind. */
  readonly subject: string;
  /** The details of a selected step; `order` names the steps before it. */
  about(order: string): ReactNode;
}

interface StepData extends Record<string, unknown> {
  readonly step: DrawnStep;
  readonly order: string;
  readonly isSelected: boolean;
  toggle(): void;
  close(): void;
}

function StepNode({ data: { step, order, isSelected, toggle, close } }: NodeProps<Node<StepData>>) {
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} style={HIDDEN} />
      <Popover
        opened={isSelected}
        onChange={(opened) => !opened && close()}
        position="right"
        withArrow
        shadow="md"
        width={320}
        trapFocus={false}
      >
        <Popover.Target>
          <UnstyledButton
            className="nodrag nopan"
            w={STEP_WIDTH}
            h={STEP_HEIGHT}
            p={6}
            bg="var(--mantine-color-body)"
            bd={`1px solid ${isSelected ? 'var(--mantine-color-blue-filled)' : 'var(--mantine-color-default-border)'}`}
            bdrs="md"
            style={{ pointerEvents: 'all' }}
            aria-pressed={isSelected}
            onClick={toggle}
            onKeyDown={({ key }) => key === 'Escape' && close()}
          >
            <Group gap={6} wrap="nowrap">
              <Badge size="xs" color={COLORS[step.kind]} variant="light" tt="none" style={{ flexShrink: 0 }}>
                {step.kind}
              </Badge>
              <Text size="xs" c="dimmed" truncate>
                {step.subject}
              </Text>
            </Group>
            <Text size="xs" fw={600} lineClamp={2} mt={2}>
              {step.title}
            </Text>
            <VisuallyHidden>{order}</VisuallyHidden>
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown role="status" aria-label={`Details of ${step.title}`}>
          <Title order={3} fz="sm">
            {step.title}
          </Title>
          {step.about(order)}
        </Popover.Dropdown>
      </Popover>
      <Handle type="source" position={Position.Right} isConnectable={false} style={HIDDEN} />
    </>
  );
}

const HIDDEN = { opacity: 0, pointerEvents: 'none', minWidth: 1, minHeight: 1, width: 1, height: 1, border: 0 } as const;

function FrameNode({ data: { title }, width, height }: NodeProps<Node<{ title: string }>>) {
  return (
    <Box
      w={width}
      h={height}
      px={12}
      py={8}
      bdrs="md"
      bd="1px solid var(--mantine-color-default-border)"
      bg="var(--mantine-color-default-hover)"
    >
      <Text size="xs" fw={600} truncate>
        {title}
      </Text>
    </Box>
  );
}

export const NODE_TYPES = { step: StepNode, frame: FrameNode };
