import { Badge, Box, Card, Group, ScrollArea, Stack, Text, Title, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { assignRows, type Placed } from './graph-layout.js';

const WIDTH = 172;
const HEIGHT = 62;
const ACROSS = WIDTH + 40;
const DOWN = HEIGHT + 10;

export type StepKind = 'find' | 'ask' | 'compare' | 'propose' | 'conclude';
const COLORS: Readonly<Record<StepKind, string>> = { find: 'gray', ask: 'blue', compare: 'cyan', propose: 'orange', conclude: 'teal' };

export interface DrawnStep extends Placed {
  readonly kind: StepKind;
  readonly title: string;
  /** One line next to the kind. */
  readonly subject: string;
  /** The details of a selected step; `order` names the steps before it. */
  about(order: string): ReactNode;
}
type GraphNode = DrawnStep & { readonly row: number };

/** Draws the steps from left to right with their dependencies, and shows the details of the selected step. */
export function StepGraph({ steps, label, hint }: { steps: readonly DrawnStep[]; label: string; hint: string }) {
  const nodes = assignRows(steps);
  const [selectedId, select] = useState<string | null>(null);
  const selected = nodes.find(({ id }) => id === selectedId);
  const width = Math.max(...nodes.map(({ column }) => column)) * ACROSS + WIDTH;
  const height = Math.max(...nodes.map(({ row }) => row)) * DOWN + HEIGHT;
  return (
    <Stack>
      <Card withBorder padding="sm" role="status">
        {selected ? (
          <>
            <Title order={3} fz="sm">
              {selected.title}
            </Title>
            {selected.about(describeOrder(selected, nodes))}
          </>
        ) : (
          <Text size="sm">{hint}</Text>
        )}
      </Card>
      <ScrollArea type="auto" offsetScrollbars viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
        <Box pos="relative" w={width} h={height} m={4}>
          <Lines nodes={nodes} selectedId={selectedId} width={width} height={height} />
          {nodes.map((node) => (
            <Node key={node.id} node={node} nodes={nodes} isSelected={node.id === selectedId} onSelect={() => select(node.id)} />
          ))}
        </Box>
      </ScrollArea>
    </Stack>
  );
}

function Lines(props: { nodes: readonly GraphNode[]; selectedId: string | null; width: number; height: number }) {
  const { nodes, selectedId, width, height } = props;
  // Every step leads to the verdict: its lines appear only when it is selected.
  const ends = nodes.filter(({ id, isEnd }) => !isEnd || id === selectedId);
  const lines = ends.flatMap((to) => nodes.filter(({ id }) => to.after.includes(id)).map((from) => ({ from, to })));
  const touches = ({ from, to }: (typeof lines)[number]) => from.id === selectedId || to.id === selectedId;
  return (
    <svg width={width} height={height} aria-hidden="true" fill="none">
      {lines
        .toSorted((one, other) => Number(touches(one)) - Number(touches(other)))
        .map((line) => (
          <path
            key={`${line.from.id} ${line.to.id}`}
            d={curve(line.from, line.to)}
            stroke={touches(line) ? 'var(--mantine-color-blue-filled)' : 'var(--mantine-color-default-border)'}
            strokeWidth={touches(line) ? 2 : 1.5}
          />
        ))}
    </svg>
  );
}

/** Bends right after the first step and then runs straight: the layout keeps that row free. */
function curve(from: GraphNode, to: GraphNode): string {
  const [x1, y1] = [from.column * ACROSS + WIDTH, from.row * DOWN + HEIGHT / 2];
  const [x2, y2] = [to.column * ACROSS, to.row * DOWN + HEIGHT / 2];
  const turn = ACROSS - WIDTH;
  return `M ${x1} ${y1} C ${x1 + turn / 2} ${y1}, ${x1 + turn / 2} ${y2}, ${x1 + turn} ${y2} H ${x2}`;
}

function Node(props: { node: GraphNode; nodes: readonly GraphNode[]; isSelected: boolean; onSelect: () => void }) {
  const { node, nodes, isSelected, onSelect } = props;
  return (
    <UnstyledButton
      pos="absolute"
      left={node.column * ACROSS}
      top={node.row * DOWN}
      w={WIDTH}
      h={HEIGHT}
      p={6}
      bg="var(--mantine-color-body)"
      bd={`1px solid ${isSelected ? 'var(--mantine-color-blue-filled)' : 'var(--mantine-color-default-border)'}`}
      bdrs="md"
      aria-pressed={isSelected}
      onClick={onSelect}
    >
      <Group gap={6} wrap="nowrap">
        <Badge size="xs" color={COLORS[node.kind]} variant="light" tt="none" style={{ flexShrink: 0 }}>
          {node.kind}
        </Badge>
        <Text size="xs" c="dimmed" truncate>
          {node.subject}
        </Text>
      </Group>
      <Text size="xs" fw={600} lineClamp={2} mt={2}>
        {node.title}
      </Text>
      <VisuallyHidden>{describeOrder(node, nodes)}</VisuallyHidden>
    </UnstyledButton>
  );
}

function describeOrder({ after }: Placed, nodes: readonly GraphNode[]): string {
  const needed = nodes.filter(({ id }) => after.includes(id)).map(({ title }) => title);
  return needed.length === 0 ? '' : `, after ${[...new Set(needed)].join(', ')}`;
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
