import { Alert, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { RunStep, StepsAsRun } from '../../../domain/investigation/run-steps.js';
import { api } from '../../api.js';
import { ErrorState, PageSkeleton } from '../../components/states.js';
import { duration } from '../../components/time.js';
import { openEnds } from './graph-layout.js';
import { capital, type DrawnStep, StepGraph } from './step-graph.js';

/** The steps that past investigations took, whoever wrote them down, or nobody. */
export function RunGraph({ playbookId, version }: { playbookId: string; version?: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['playbooks', playbookId, 'steps', version ?? 'every version'],
    queryFn: () => api.get<StepsAsRun>(`/playbooks/${playbookId}/steps`, { version }),
  });
  if (error) return <ErrorState error={error} again={refetch} />;
  if (!data) return <PageSkeleton />;
  if (data.investigations === 0)
    return (
      <Alert variant="light" title="It has not run yet">
        What it asks, and in which order, is drawn here from its first completed investigation on.
      </Alert>
    );
  const ran = describeStep(data.investigations, 'investigation');
  return (
    <Stack>
      <Text size="sm">As it ran: what its last {ran} asked and proposed. What overlapped in time stands side by side.</Text>
      <StepGraph
        steps={drawn(data)}
        label="Steps as they ran"
        hint="Choose a step to read how often it was taken, how long it took and what stayed open."
      />
    </Stack>
  );
}

const START = 'the alert';
const END = 'the verdict';

/** Between the alert that begins it and the verdict that everything leads to. */
function drawn({ steps, investigations }: StepsAsRun): DrawnStep[] {
  const columns = new Map([[START, 0]]);
  const last = () => Math.max(...columns.values());
  const placed = steps.map((step): DrawnStep => {
    const after = step.after.length === 0 ? [START] : step.after;
    // A proposal that tells no time rests on the answers all the same; they come before it in the list.
    const isBehindAll = step.does === 'propose' && step.after.length === 0;
    const column = 1 + (isBehindAll ? last() : Math.max(...after.map((id) => columns.get(id) ?? 0)));
    columns.set(step.step_id, column);
    return {
      id: step.step_id,
      column,
      after,
      isEnd: false,
      kind: step.does,
      title: step.skill_id,
      subject: step.connector.replaceAll('-', ' '),
      about: (afterInWords) => <About step={step} of={investigations} afterInWords={afterInWords} />,
    };
  });
  const start: DrawnStep = {
    id: START,
    column: 0,
    after: [],
    isEnd: false,
    kind: 'find',
    title: 'Indicators in the alert',
    subject: 'where it begins',
    about: () => <Text size="sm">Addresses, names and files that the alert carries.</Text>,
  };
  const end: DrawnStep = {
    id: END,
    column: last() + 1,
    after: openEnds(placed),
    isEnd: true,
    kind: 'conclude',
    title: 'Verdict',
    subject: 'score and reasons',
    about: () => <Text size="sm">Follows from all that was found.</Text>,
  };
  return [start, ...placed, end];
}

function About({ step, of, afterInWords }: { step: RunStep; of: number; afterInWords: string }) {
  const isProposal = step.does === 'propose';
  return (
    <>
      <Text size="sm" className="breakable">
        {isProposal ? 'Proposed' : 'Asked'} in {step.investigations} of {describeStep(of, 'investigation')}
        {afterInWords}
      </Text>
      <Text size="sm">{capital(isProposal ? describeProposed(step) : describeAnswered(step))}</Text>
    </>
  );
}

function describeProposed({ times, unanswered }: RunStep): string {
  const failed = unanswered === 0 ? '' : `; could not be proposed in ${describeStep(unanswered, 'investigation')}`;
  return `${describeStep(times, 'proposal')}${failed}.`;
}

function describeAnswered({ times, typical_ms, unanswered }: RunStep): string {
  const took = typical_ms === null ? '' : `, typically in ${duration(typical_ms / 1000)}`;
  const open = unanswered === 0 ? 'never left open' : `left open in ${describeStep(unanswered, 'investigation')}`;
  return `${describeStep(times, 'answer')}${took}; ${open}.`;
}

function describeStep(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
