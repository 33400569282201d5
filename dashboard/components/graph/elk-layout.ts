import type { ElkNode } from 'elkjs/lib/elk-api.js';

export interface LayoutNode {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** Nodes of one group are placed together, with space for a heading above them. */
  readonly group?: string | undefined;
}

export interface LayoutEdge {
  readonly id: string;
  readonly source: string;
  readonly target: string;
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface PlacedGroup extends Place {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

export interface GraphLayout {
  /** By the id of the node, from the top left corner of the graph. */
  readonly places: ReadonlyMap<string, Place>;
  readonly groups: readonly PlacedGroup[];
  readonly width: number;
  readonly height: number;
}

const OPTIONS = {
  'elk.algorithm': 'layered',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.layered.spacing.nodeNodeBetweenLayers': '72',
  'elk.spacing.nodeNode': '14',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
};
const GROUP_OPTIONS = { 'elk.padding': '[top=34,left=12,bottom=12,right=12]' };

/** Places the nodes of a directed graph in layers. The same graph always gets the same places. */
export async function layOut(
  nodes: readonly LayoutNode[],
  edges: readonly LayoutEdge[],
  direction: 'RIGHT' | 'DOWN' = 'RIGHT',
): Promise<GraphLayout> {
  // The library is large: a page loads it with its first graph.
  const { default: Elk } = await import('elkjs/lib/elk.bundled.js');
  const toElk = ({ id, width, height }: LayoutNode): ElkNode => ({ id, width, height });
  const groups = [...new Set(nodes.flatMap(({ group }) => group ?? []))];
  const graph: ElkNode = {
    id: 'graph',
    layoutOptions: { ...OPTIONS, 'elk.direction': direction },
    children: [
      ...nodes.filter(({ group }) => group === undefined).map(toElk),
      ...groups.map((group) => ({
        id: groupId(group),
        layoutOptions: GROUP_OPTIONS,
        children: nodes.filter((node) => node.group === group).map(toElk),
      })),
    ],
    edges: edges.map(({ id, source, target }) => ({ id, sources: [source], targets: [target] })),
  };
  const placed = await new Elk().layout(graph);
  const places = new Map<string, Place>();
  const placedGroups: PlacedGroup[] = [];
  for (const { id, x = 0, y = 0, width = 0, height = 0, children } of placed.children ?? []) {
    if (children === undefined) places.set(id, { x, y });
    else {
      placedGroups.push({ id: groups.find((group) => groupId(group) === id) ?? id, x, y, width, height });
      for (const child of children) places.set(child.id, { x: x + (child.x ?? 0), y: y + (child.y ?? 0) });
    }
  }
  return { places, groups: placedGroups, width: placed.width ?? 0, height: placed.height ?? 0 };
}

function groupId(group: string): string {
  return `group ${group}`;
}
