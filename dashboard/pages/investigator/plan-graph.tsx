import { List, Text } from '@mantine/core';
import type { Plan, PlanStep } from '../../../domain/playbook/playbook.js';
import { planStepId } from '../../../domain/playbook/step-id.js';
import { capitalize } from '../../options.js';
import { formatConnector, formatVerb } from './skill-names.js';
import { findLeaves, StepGraph } from './step-graph.js';
import type { DrawnStep, StepKind } from './step-node.js';

const KINDS: Readonly<Record<PlanStep['do'], StepKind>> = {
  'extract-indicators': 'find',
  ask: 'ask',
  'search-records': 'ask',
  correlate: 'compare',
  propose: 'propose',
  summarise: 'conclude',
};

export function PlanGraph({ plan }: { plan: Plan }) {
  return (
    <StepGraph steps={listSteps(plan)} label="Plan steps" hint="Select a step to see its purpose and how each answer affects the score." />
  );
}

/** The verdict depends on every step that no other step uses. */
function listSteps({ steps }: Plan): DrawnStep[] {
  const finds = steps.some((step) => step.do === 'extract-indicators') ? ['extract-indicators'] : [];
  const drawn = steps.filter((step) => step.do !== 'summarise').map((step) => toDrawnStep(step, listDependencies(step, finds)));
  const ends = steps.filter((step) => step.do === 'summarise').map((step) => toDrawnStep(step, findLeaves(drawn)));
  return [...drawn, ...ends];
}

function listDependencies(step: PlanStep, finds: readonly string[]): readonly string[] {
  if (step.do === 'extract-indicators') return [];
  if ((step.do === 'ask' || step.do === 'propose') && step.each.of === 'answer') return [step.each.step];
  return finds;
}

function toDrawnStep(step: PlanStep, after: readonly string[]): DrawnStep {
  return {
    id: planStepId(step),
    after,
    kind: KINDS[step.do],
    title: stepTitle(step),
    subject: describeSubject(step),
    ...(step.do === 'ask' || step.do === 'propose' ? { group: formatConnector(step.skill) } : {}),
    about: (order) => <About step={step} order={order} />,
  };
}

function About({ step, order }: { step: PlanStep; order: string }) {
  return (
    <>
      <Text size="sm">{step.why}</Text>
      <Text size="sm" className="breakable">
        {capitalize(describeScope(step))}
        {order}
        {step.do === 'propose' ? `; proposed when the verdict is ${step.from === 'malicious' ? step.from : `${step.from} or worse`}` : ''}
      </Text>
      {step.do === 'ask' && step.proves.length > 0 && (
        <List size="sm" spacing={2}>
          {step.proves.map((proof) => (
            <List.Item key={`${proof.points} ${proof.says}`}>
              {formatPoints(proof.points)} {proof.says}
            </List.Item>
          ))}
        </List>
      )}
    </>
  );
}

function stepTitle(step: PlanStep): string {
  if (step.do === 'extract-indicators') return 'Indicators in the alert';
  if (step.do === 'search-records') return 'Third-party records';
  if (step.do === 'correlate') return 'Earlier alerts with the same indicators';
  return step.do === 'summarise' ? 'Verdict' : formatVerb(step.skill);
}

function describeSubject(step: PlanStep): string {
  if (step.do === 'extract-indicators') return step.of.join(', ');
  if (step.do === 'search-records') return 'alerts, incidents, investigations';
  if (step.do === 'correlate') return `in the last ${step.withinDays} days`;
  if (step.do === 'summarise') return 'score and reasons';
  return step.each.of === 'entity' ? `each ${step.each.kind}` : 'each answer';
}

function describeScope(step: PlanStep): string {
  if (step.do !== 'ask' && step.do !== 'propose') return describeSubject(step);
  const { each } = step;
  return `for each ${each.of === 'entity' ? each.kind : `${each.path} of the answer`}, at most ${each.atMost}`;
}

function formatPoints(points: number): string {
  if (points === 0) return '0';
  return points > 0 ? `+${points}` : `−${-points}`;
}
