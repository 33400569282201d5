import { Badge, Box, Card, Group, ScrollArea, Stack, Text, Title, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { inRows, type Placed } from './graph-layout.js';

const WIDTH = 172;
const HEIGHT = 62;
const ACROSS = WIDTH + 40;
const DOWN = HEIGHT + 10;

export type StepKind = 'find' | 'ask' | 'compare' | 'propose' | 'conclude';
const COLORS: Readonly<Record<StepKind, string>> = { find: 'gray', ask: 'blue', compare: 'cyan', propose: 'orange', conclude: 'teal' };

/** A step as it is drawn, wherever it comes from. */
export interface DrawnStep extends Placed {
  readonly kind: StepKind;
  readonly title: string;
  /** One line beside the kind. */
  readonly subject: string;
  /** What is told of it when it is chosen; the words say what it comes after. */
  about(describeOrder: string): ReactNode;
}
type GraphNode = DrawnStep & { readonly row: number };

/** The steps from left to right, with lines from what a step needs; a step tells more about itself when it is chosen. */
export function StepGraph({ steps, label, hint }: { steps: readonly DrawnStep[]; label: string; hint: string }) {
  const nodes = inRows(steps);
  const [chosenId, choose] = useState<string | null>(null);
  const chosen = nodes.find(({ id }) => id === chosenId);
  const width = Math.max(...nodes.map(({ column }) => column)) * ACROSS + WIDTH;
  const height = Math.max(...nodes.map(({ row }) => row)) * DOWN + HEIGHT;
  return (
    <Stack>
      <Card withBorder padding="sm" role="status">
        {chosen ? (
          <>
            <Title order={3} fz="sm">
              {chosen.title}
            </Title>
            {chosen.about(describeOrder(chosen, nodes))}
          </>
        ) : (
          <Text size="sm">{hint}</Text>
        )}
      </Card>
      <ScrollArea type="auto" offsetScrollbars viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
        <Box pos="relative" w={width} h={height} m={4}>
          <Lines nodes={nodes} chosenId={chosenId} width={width} height={height} />
          {nodes.map((node) => (
            <Node key={node.id} node={node} nodes={nodes} isChosen={node.id === chosenId} onChoose={() => choose(node.id)} />
          ))}
        </Box>
      </ScrollArea>
    </Stack>
  );
}

function Lines(props: { nodes: readonly GraphNode[]; chosenId: string | null; width: number; height: number }) {
  const { nodes, chosenId, width, height } = props;
  // Everything leads to the verdict; lines that say so are drawn when it is asked for.
  const ends = nodes.filter(({ id, isEnd }) => !isEnd || id === chosenId);
  const lines = ends.flatMap((to) => nodes.filter(({ id }) => to.after.includes(id)).map((from) => ({ from, to })));
  const touches = ({ from, to }: (typeof lines)[number]) => from.id === chosenId || to.id === chosenId;
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

/** Turns to its row right away and runs straight from there: the layout keeps that row free. */
function curve(from: GraphNode, to: GraphNode): string {
  const [x1, y1] = [from.column * ACROSS + WIDTH, from.row * DOWN + HEIGHT / 2];
  const [x2, y2] = [to.column * ACROSS, to.row * DOWN + HEIGHT / 2];
  const turn = ACROSS - WIDTH;
  return `M ${x1} ${y1} C ${x1 + turn / 2} ${y1}, ${x1 + turn / 2} ${y2}, ${x1 + turn} ${y2} H ${x2}`;
}

function Node(props: { node: GraphNode; nodes: readonly GraphNode[]; isChosen: boolean; onChoose: () => void }) {
  const { node, nodes, isChosen, onChoose } = props;
  return (
    <UnstyledButton
      pos="absolute"
      left={node.column * ACROSS}
      top={node.row * DOWN}
      w={WIDTH}
      h={HEIGHT}
      p={6}
      bg="var(--mantine-color-body)"
      bd={`1px solid ${isChosen ? 'var(--mantine-color-blue-filled)' : 'var(--mantine-color-default-border)'}`}
      bdrs="md"
      aria-pressed={isChosen}
      onClick={onChoose}
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

export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
