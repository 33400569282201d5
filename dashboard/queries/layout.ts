import { queryOptions } from '@tanstack/react-query';
import { type LayoutEdge, type LayoutNode, layOut } from '../components/graph/elk-layout.js';

/** The same graph always gets the same places. */
export const layoutQuery = (nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]) =>
  queryOptions({ queryKey: ['layout', nodes, edges], queryFn: () => layOut(nodes, edges), staleTime: Number.POSITIVE_INFINITY });
