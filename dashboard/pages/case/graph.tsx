import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import type { CaseGraph as Graph } from '../../../domain/case/case-graph.js';
import { ErrorState, PageSkeleton } from '../../components/states.js';
import { caseGraphQuery } from '../../queries/cases.js';
import { EventList } from './event-list.js';

/** The libraries that draw a graph are large. */
const EntityGraph = lazy(async () => ({ default: (await import('./entity-graph.js')).EntityGraph }));

/** The alerts of the case and their entities. */
export function CaseGraph({ caseId }: { caseId: string }) {
  return (
    <WithGraph caseId={caseId}>
      {(graph) => (
        <Suspense fallback={<PageSkeleton />}>
          <EntityGraph graph={graph} />
        </Suspense>
      )}
    </WithGraph>
  );
}

/** What happened, in the order in which it happened. */
export function CaseEvents({ caseId }: { caseId: string }) {
  return <WithGraph caseId={caseId}>{(graph) => <EventList events={graph.events} />}</WithGraph>;
}

function WithGraph({ caseId, children }: { caseId: string; children: (graph: Graph) => ReactNode }) {
  const { data, error, refetch } = useQuery(caseGraphQuery(caseId));
  if (error) return <ErrorState error={error} retry={refetch} />;
  return data ? children(data) : <PageSkeleton />;
}
