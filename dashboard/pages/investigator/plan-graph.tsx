import { Badge, Card, Group, List, Stack, Text } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import type { Plan, PlanStep } from '../../../domain/playbook.js';

/** Which step waits for which: what stands in one row is asked at once. */
function rowsOf({ steps }: Plan): PlanStep[][] {
  const depths = new Map<string, number>();
  const depthOf = (step: PlanStep): number => {
    if (step.do === 'extract-indicators') return 0;
    if (step.do === 'ask') return step.each.of === 'answer' ? (depths.get(step.each.step) ?? 0) + 1 : 1;
    if (step.do === 'correlate') return 100;
    return step.do === 'propose' ? 101 : 102;
  };
  const rows = new Map<number, PlanStep[]>();
  for (const step of steps) {
    const depth = depthOf(step);
    if (step.do === 'ask') depths.set(step.id, depth);
    rows.set(depth, [...(rows.get(depth) ?? []), step]);
  }
  return [...rows].sort(([one], [other]) => one - other).map(([, row]) => row);
}

export function PlanGraph({ plan }: { plan: Plan }) {
  const rows = rowsOf(plan);
  return (
    <Stack gap="xs" align="stretch">
      {rows.map((row, index) => (
        <Stack key={row.map(nameOf).join(' ')} gap="xs" align="center">
          {index > 0 && <IconArrowDown size={18} aria-hidden />}
          <Group gap="xs" justify="center" align="stretch">
            {row.map((step) => (
              <Step key={nameOf(step)} step={step} />
            ))}
          </Group>
        </Stack>
      ))}
    </Stack>
  );
}

function nameOf(step: PlanStep): string {
  return step.do === 'ask' || step.do === 'propose' ? step.id : step.do;
}

const LABELS: Readonly<Record<PlanStep['do'], { label: string; color: string }>> = {
  'extract-indicators': { label: 'find', color: 'gray' },
  ask: { label: 'ask', color: 'blue' },
  correlate: { label: 'compare', color: 'cyan' },
  propose: { label: 'propose', color: 'orange' },
  summarise: { label: 'conclude', color: 'teal' },
};

function Step({ step }: { step: PlanStep }) {
  const { label, color } = LABELS[step.do];
  return (
    <Card withBorder padding="xs" w={300} maw="100%">
      <Group gap="xs" mb={4}>
        <Badge color={color} variant="light" tt="none">
          {label}
        </Badge>
        <Text size="sm" fw={600} className="breakable">
          {step.do === 'ask' || step.do === 'propose' ? inWords(step.skill) : titleOf(step)}
        </Text>
      </Group>
      <Text size="xs">{step.why}</Text>
      {(step.do === 'ask' || step.do === 'propose') && (
        <Text size="xs" mt={4} className="breakable">
          For each {step.each.of === 'entity' ? step.each.kind : `${step.each.path} of ${step.each.step}`}, at most {step.each.atMost}
          {step.do === 'propose' ? `, from ${step.from}` : ''}
        </Text>
      )}
      {step.do === 'ask' && step.proves.length > 0 && (
        <List size="xs" mt={4} spacing={2}>
          {step.proves.map((proof) => (
            <List.Item key={`${proof.points} ${proof.says}`}>
              {proof.points > 0 ? '+' : ''}
              {proof.points} {proof.says}
            </List.Item>
          ))}
        </List>
      )}
    </Card>
  );
}

function titleOf(step: PlanStep): string {
  if (step.do === 'extract-indicators') return 'Indicators in the alert';
  return step.do === 'correlate' ? 'Earlier alerts that share them' : 'Verdict';
}

/** `threatIntelligence.getEnrichment` → `threat intelligence: get enrichment` */
function inWords(skill: string): string {
  return skill.replace('.', ': ').replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`);
}
