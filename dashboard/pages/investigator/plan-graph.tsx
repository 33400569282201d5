import { List, Text } from '@mantine/core';
import type { Plan, PlanStep } from '../../../domain/playbook/playbook.js';
import { type PlacedStep, placePlan } from './plan-layout.js';
import { capitalize, type DrawnStep, StepGraph, type StepKind } from './step-graph.js';

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
    <StepGraph
      steps={placePlan(plan).map(toDrawnStep)}
      label="Steps of the plan"
      hint="Select a step to see its purpose and how each answer affects the score."
    />
  );
}

function toDrawnStep({ step, ...placed }: PlacedStep): DrawnStep {
  return {
    ...placed,
    kind: KINDS[step.do],
    title: stepTitle(step),
    subject: describeSubject(step),
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
  if (step.do === 'search-records') return 'Records of the third parties';
  if (step.do === 'correlate') return 'Earlier alerts with the same indicators';
  return step.do === 'summarise' ? 'Verdict' : formatSkill(step.skill);
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

/** `threatIntelligence.getEnrichment` → `threat intelligence: get enrichment` */
function formatSkill(skill: string): string {
  return skill.replace('.', ': ').replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`);
}

function formatPoints(points: number): string {
  if (points === 0) return '0';
  return points > 0 ? `+${points}` : `−${-points}`;
}
