import '@xyflow/react/dist/style.css';
import { Box, useComputedColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Background, Controls, Handle, type Node, Position, ReactFlow } from '@xyflow/react';
import type { ReactNode } from 'react';
import { layoutQuery } from '../../queries/layout.js';
import { ErrorState, PageSkeleton } from '../states.js';
import type { LayoutEdge, LayoutNode } from './elk-layout.js';

export interface DrawnNode extends LayoutNode {
  readonly content: ReactNode;
}

type ContentNode = Node<{ content: ReactNode }>;

const HEIGHT = { least: 220, most: 640 };
const MARGIN = 32;
const NODE_TYPES = { content: Content };

function Content({ data }: { data: ContentNode['data'] }) {
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} style={{ opacity: 0 }} />
      {data.content}
      <Handle type="source" position={Position.Right} isConnectable={false} style={{ opacity: 0 }} />
    </>
  );
}

/** Draws a graph from left to right. The content of a node may have links, which take the keyboard focus. */
export function GraphView({ nodes, edges, label }: { nodes: readonly DrawnNode[]; edges: readonly LayoutEdge[]; label: string }) {
  const colorScheme = useComputedColorScheme('light');
  const shape = nodes.map(({ id, width, height, group }) => ({ id, width, height, group }));
  const { data, error } = useQuery(layoutQuery(shape, edges));
  if (error) return <ErrorState error={error} />;
  if (!data) return <PageSkeleton />;
  const placed = nodes.map(
    ({ id, width, height, content }): ContentNode => ({
      id,
      type: 'content',
      position: data.places.get(id) ?? { x: 0, y: 0 },
      width,
      height,
      data: { content },
    }),
  );
  const height = Math.min(Math.max(data.height + MARGIN, HEIGHT.least), HEIGHT.most);
  return (
    <Box h={height} role="region" aria-label={label} bd="1px solid var(--mantine-color-default-border)" style={{ borderRadius: 8 }}>
      <ReactFlow
        nodes={placed}
        edges={[...edges]}
        nodeTypes={NODE_TYPES}
        colorMode={colorScheme}
        fitView
        fitViewOptions={{ padding: 0.06, maxZoom: 1 }}
        minZoom={0.2}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        preventScrolling={false}
        zoomOnScroll={false}
        proOptions={{ hideAttribution: true }}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </Box>
  );
}
