import { Badge, Box, Card, Group, List, ScrollArea, Stack, Text, Title, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import type { Plan, PlanStep } from '../../../domain/playbook.js';
import { type GraphNode, layoutOf } from './plan-layout.js';

const WIDTH = 172;
const HEIGHT = 62;
const ACROSS = WIDTH + 40;
const DOWN = HEIGHT + 10;

/** The steps from left to right, with lines from what a step needs; a step tells more about itself when it is chosen. */
export function PlanGraph({ plan }: { plan: Plan }) {
  const nodes = layoutOf(plan);
  const [chosenId, choose] = useState<string | null>(null);
  const chosen = nodes.find(({ id }) => id === chosenId);
  const width = Math.max(...nodes.map(({ column }) => column)) * ACROSS + WIDTH;
  const height = Math.max(...nodes.map(({ row }) => row)) * DOWN + HEIGHT;
  return (
    <Stack>
      <Card withBorder padding="sm" role="status">
        {chosen ? <About node={chosen} nodes={nodes} /> : <Text size="sm">Choose a step to read why it is taken and what it proves.</Text>}
      </Card>
      <ScrollArea type="auto" offsetScrollbars viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Steps of the plan' }}>
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
  const ends = nodes.filter(({ id, step }) => step.do !== 'summarise' || id === chosenId);
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

const LABELS: Readonly<Record<PlanStep['do'], { label: string; color: string }>> = {
  'extract-indicators': { label: 'find', color: 'gray' },
  ask: { label: 'ask', color: 'blue' },
  correlate: { label: 'compare', color: 'cyan' },
  propose: { label: 'propose', color: 'orange' },
  summarise: { label: 'conclude', color: 'teal' },
};

function Node(props: { node: GraphNode; nodes: readonly GraphNode[]; isChosen: boolean; onChoose: () => void }) {
  const { node, nodes, isChosen, onChoose } = props;
  const { label, color } = LABELS[node.step.do];
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
        <Badge size="xs" color={color} variant="light" tt="none">
          {label}
        </Badge>
        <Text size="xs" c="dimmed" truncate>
          {subjectOf(node.step)}
        </Text>
      </Group>
      <Text size="xs" fw={600} lineClamp={2} mt={2}>
        {titleOf(node.step)}
      </Text>
      <VisuallyHidden>{needsInWords(node, nodes)}</VisuallyHidden>
    </UnstyledButton>
  );
}

function needsInWords({ after }: GraphNode, nodes: readonly GraphNode[]): string {
  const needed = nodes.filter(({ id }) => after.includes(id)).map(({ step }) => titleOf(step));
  return needed.length === 0 ? '' : `, after ${[...new Set(needed)].join(', ')}`;
}

function About({ node: { step, ...node }, nodes }: { node: GraphNode; nodes: readonly GraphNode[] }) {
  return (
    <>
      <Title order={3} fz="sm">
        {titleOf(step)}
      </Title>
      <Text size="sm">{step.why}</Text>
      <Text size="sm" className="breakable">
        {capital(reachOf(step))}
        {needsInWords({ step, ...node }, nodes)}
        {step.do === 'propose' ? `; proposed to a person when the evidence says ${step.from} or worse` : ''}
      </Text>
      {step.do === 'ask' && step.proves.length > 0 && (
        <List size="sm" spacing={2}>
          {step.proves.map((proof) => (
            <List.Item key={`${proof.points} ${proof.says}`}>
              {proof.points > 0 ? `+${proof.points}` : `−${-proof.points}`} {proof.says}
            </List.Item>
          ))}
        </List>
      )}
    </>
  );
}

function titleOf(step: PlanStep): string {
  if (step.do === 'extract-indicators') return 'Indicators in the alert';
  if (step.do === 'correlate') return 'Earlier alerts that share them';
  return step.do === 'summarise' ? 'Verdict' : inWords(step.skill);
}

function subjectOf(step: PlanStep): string {
  if (step.do === 'extract-indicators') return step.of.join(', ');
  if (step.do === 'correlate') return `within ${step.withinDays} days`;
  if (step.do === 'summarise') return 'score and reasons';
  return step.each.of === 'entity' ? `each ${step.each.kind}` : 'each answer';
}

/** `items[].id` of which answer, and how many of them. */
function reachOf(step: PlanStep): string {
  if (step.do !== 'ask' && step.do !== 'propose') return subjectOf(step);
  const { each } = step;
  return `for each ${each.of === 'entity' ? each.kind : `${each.path} of the answer`}, at most ${each.atMost}`;
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `threatIntelligence.getEnrichment` → `threat intelligence: get enrichment` */
function inWords(skill: string): string {
  return skill.replace('.', ': ').replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`);
}
