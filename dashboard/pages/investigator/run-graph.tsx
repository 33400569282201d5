import { Alert, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { RunStep, StepsAsRun } from '../../../domain/investigation/run-steps.js';
import { ErrorState, PageSkeleton } from '../../components/states.js';
import { formatDuration } from '../../components/time.js';
import { capitalize } from '../../options.js';
import { pastStepsQuery } from '../../queries/playbooks.js';
import { findLeaves, StepGraph } from './step-graph.js';
import type { DrawnStep } from './step-node.js';

/** The steps of past investigations. */
export function RunGraph({ playbookId, version }: { playbookId: string; version?: number }) {
  const { data, error, refetch } = useQuery(pastStepsQuery(playbookId, version));
  if (error) return <ErrorState error={error} retry={refetch} />;
  if (!data) return <PageSkeleton />;
  if (data.investigations === 0)
    return (
      <Alert variant="light" title="No runs yet">
        The steps and their order appear here after the first completed investigation.
      </Alert>
    );
  const count = formatCount(data.investigations, 'investigation');
  return (
    <Stack>
      <Text size="sm">Steps of the last {count}. Steps that ran at the same time are above each other.</Text>
      <StepGraph
        steps={createSteps(data)}
        label="Past run steps"
        hint="Select a step to see how often it ran, how long it took and how often it failed."
      />
    </Stack>
  );
}

const START = 'the alert';
const END = 'the verdict';

function createSteps({ steps, investigations }: StepsAsRun): DrawnStep[] {
  const drawn = steps.map(
    (step): DrawnStep => ({
      id: step.step_id,
      after: step.after.length === 0 ? [START] : step.after,
      group: capitalize(step.connector.replaceAll('-', ' ')),
      kind: step.does,
      title: step.skill_id,
      subject: step.typical_ms === null ? 'no time known' : formatDuration(step.typical_ms / 1000),
      about: (order) => <About step={step} of={investigations} order={order} />,
    }),
  );
  const start: DrawnStep = {
    id: START,
    after: [],
    kind: 'find',
    title: 'Indicators in the alert',
    subject: 'start',
    about: () => <Text size="sm">Addresses, names and files in the alert.</Text>,
  };
  const end: DrawnStep = {
    id: END,
    after: findLeaves(drawn),
    kind: 'conclude',
    title: 'Verdict',
    subject: 'score and reasons',
    about: () => <Text size="sm">The result of all findings.</Text>,
  };
  return [start, ...drawn, end];
}

function About({ step, of, order }: { step: RunStep; of: number; order: string }) {
  const isProposal = step.does === 'propose';
  return (
    <>
      <Text size="sm" className="breakable">
        {isProposal ? 'Proposed' : 'Called'} in {step.investigations} of {formatCount(of, 'investigation')}
        {order}
      </Text>
      <Text size="sm">{capitalize(isProposal ? describeProposals(step) : describeAnswers(step))}</Text>
      {step.typical_start_ms !== null && <Text size="sm">Starts {formatDuration(step.typical_start_ms / 1000)} after the first step.</Text>}
    </>
  );
}

function describeProposals({ times, unanswered }: RunStep): string {
  const failed = unanswered === 0 ? '' : `; failed in ${formatCount(unanswered, 'investigation')}`;
  return `${formatCount(times, 'proposal')}${failed}.`;
}

function describeAnswers({ times, typical_ms, unanswered }: RunStep): string {
  const took = typical_ms === null ? '' : `, typically ${formatDuration(typical_ms / 1000)}`;
  const open = unanswered === 0 ? 'no failures' : `no answer in ${formatCount(unanswered, 'investigation')}`;
  return `${formatCount(times, 'answer')}${took}; ${open}.`;
}

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
