import { ActionIcon, Group, ScrollArea, Stack, Text } from '@mantine/core';
import { IconZoomIn, IconZoomOut, IconZoomReset } from '@tabler/icons-react';
import { type Edge, type Node, ReactFlow } from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { GraphLayout } from '../../components/graph/elk-layout.js';
import { ErrorState, PageSkeleton } from '../../components/states.js';
import { layoutQuery } from '../../queries/layout.js';
import { type DrawnStep, NODE_TYPES, STEP_HEIGHT, STEP_WIDTH } from './step-node.js';

const ZOOMS = [0.5, 0.65, 0.8, 1, 1.25];
const FULL_SIZE = ZOOMS.indexOf(1);

/** Draws the steps from left to right with their dependencies, grouped by third party. A selected step shows its details next to it. */
export function StepGraph({ steps, label, hint }: { steps: readonly DrawnStep[]; label: string; hint: string }) {
  const edges = steps.flatMap(({ id, after }) => after.map((source) => ({ id: `${source} ${id}`, source, target: id })));
  const depths = findDepths(steps);
  // One frame for the steps that a third party gets at the same time keeps the columns apart.
  const boxes = steps.map(({ id, group }) => ({
    id,
    width: STEP_WIDTH,
    height: STEP_HEIGHT,
    ...(group === undefined ? {} : { group: `${depths.get(id)} ${group}` }),
  }));
  const { data, error } = useQuery(layoutQuery(boxes, edges));
  if (error) return <ErrorState error={error} />;
  if (!data) return <PageSkeleton />;
  return <PlacedGraph steps={steps} edges={edges} layout={data} label={label} hint={hint} />;
}

function PlacedGraph(props: {
  steps: readonly DrawnStep[];
  edges: readonly { id: string; source: string; target: string }[];
  layout: GraphLayout;
  label: string;
  hint: string;
}) {
  const { steps, edges, layout, label, hint } = props;
  const [selectedId, select] = useState<string | null>(null);
  const [zoomIndex, setZoomIndex] = useState(FULL_SIZE);
  const zoom = ZOOMS[zoomIndex] ?? 1;
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm">{hint}</Text>
        <Zoom index={zoomIndex} onChange={setZoomIndex} />
      </Group>
      <ScrollArea type="auto" offsetScrollbars viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
        <div style={{ width: layout.width * zoom, height: layout.height * zoom }}>
          <ReactFlow
            nodes={createNodes(steps, layout, selectedId, select)}
            edges={edges.map((edge) => toEdge(edge, selectedId))}
            nodeTypes={NODE_TYPES}
            viewport={{ x: 0, y: 0, zoom }}
            proOptions={{ hideAttribution: true }}
            // The page scrolls to the steps, so that the keyboard and touch work as everywhere else.
            panOnDrag={false}
            zoomOnScroll={false}
            zoomOnPinch={false}
            zoomOnDoubleClick={false}
            preventScrolling={false}
            nodesDraggable={false}
            nodesConnectable={false}
            nodesFocusable={false}
            edgesFocusable={false}
            elementsSelectable={false}
            disableKeyboardA11y
          />
        </div>
      </ScrollArea>
    </Stack>
  );
}

function Zoom({ index, onChange }: { index: number; onChange: (index: number) => void }) {
  return (
    <ActionIcon.Group>
      <ActionIcon variant="default" aria-label="Zoom out" disabled={index === 0} onClick={() => onChange(index - 1)}>
        <IconZoomOut size={16} />
      </ActionIcon>
      <ActionIcon variant="default" aria-label="Actual size" disabled={index === FULL_SIZE} onClick={() => onChange(FULL_SIZE)}>
        <IconZoomReset size={16} />
      </ActionIcon>
      <ActionIcon variant="default" aria-label="Zoom in" disabled={index === ZOOMS.length - 1} onClick={() => onChange(index + 1)}>
        <IconZoomIn size={16} />
      </ActionIcon>
    </ActionIcon.Group>
  );
}

function createNodes(
  steps: readonly DrawnStep[],
  { places, groups }: GraphLayout,
  selectedId: string | null,
  select: (id: string | null) => void,
): Node[] {
  const frames = groups.map(({ id, x, y, width, height }) => ({
    id: `group ${id}`,
    type: 'frame',
    position: { x, y },
    width,
    height,
    data: { title: id.slice(id.indexOf(' ') + 1) },
    zIndex: -1,
  }));
  const titles = new Map(steps.map(({ id, title }) => [id, title]));
  const drawn = steps.map((step) => ({
    id: step.id,
    type: 'step',
    position: places.get(step.id) ?? { x: 0, y: 0 },
    width: STEP_WIDTH,
    height: STEP_HEIGHT,
    zIndex: 2,
    data: {
      step,
      order: describeOrder(step, titles),
      isSelected: step.id === selectedId,
      toggle: () => select(step.id === selectedId ? null : step.id),
      close: () => select(null),
    },
  }));
  return [...frames, ...drawn];
}

function describeOrder({ after }: DrawnStep, titles: ReadonlyMap<string, string>): string {
  const needed = after.map((id) => titles.get(id) ?? id);
  return needed.length === 0 ? '' : `, after ${[...new Set(needed)].join(', ')}`;
}

function toEdge({ id, source, target }: { id: string; source: string; target: string }, selectedId: string | null): Edge {
  const isTouched = source === selectedId || target === selectedId;
  return {
    id,
    source,
    target,
    style: {
      stroke: isTouched ? 'var(--mantine-primary-color-filled)' : 'var(--mantine-color-dimmed)',
      strokeWidth: isTouched ? 2.5 : 1,
      opacity: isTouched || selectedId === null ? 1 : 0.4,
    },
    zIndex: isTouched ? 1 : 0,
  };
}

/** The length of the longest way to each step. Steps come after the steps that they depend on. */
function findDepths(steps: readonly DrawnStep[]): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  for (const { id, after } of steps) depths.set(id, Math.max(0, ...after.map((needed) => 1 + (depths.get(needed) ?? 0))));
  return depths;
}

/** The steps that no other step depends on. */
export function findLeaves(steps: readonly Pick<DrawnStep, 'id' | 'after'>[]): string[] {
  const required = new Set(steps.flatMap(({ after }) => after));
  return steps.filter(({ id }) => !required.has(id)).map(({ id }) => id);
}
