import { ActionIcon, Fieldset, Group, JsonInput, MultiSelect, NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { ENTITY_KINDS, type EntityKind } from '../../../domain/entity/entity.js';
import { type AskStep, PlanStep, type ProposeStep } from '../../../domain/playbook/playbook.js';

interface StepProps<Step extends PlanStep> {
  readonly step: Step;
  readonly onChange: (step: PlanStep) => void;
}

/** The fields that people change most, and the whole step as JSON. */
export function PlanStepForm({ step, onChange }: StepProps<PlanStep>) {
  return (
    <Stack>
      <Textarea
        label="Purpose"
        autosize
        value={step.why}
        error={step.why.trim() === '' ? 'Enter a purpose' : undefined}
        onChange={({ currentTarget }) => onChange({ ...step, why: currentTarget.value })}
      />
      {step.do === 'extract-indicators' && (
        <Kinds label="Kinds of indicators" value={step.of} onChange={(of) => onChange({ ...step, of })} />
      )}
      {step.do === 'correlate' && (
        <Group grow align="flex-start">
          <Kinds label="Same" value={step.by} onChange={(by) => onChange({ ...step, by })} />
          <NumberInput
            label="Within days"
            min={1}
            max={365}
            value={step.withinDays}
            onChange={(days) => onChange({ ...step, withinDays: Number(days) })}
          />
        </Group>
      )}
      {(step.do === 'ask' || step.do === 'propose') && <Subjects step={step} onChange={onChange} />}
      {step.do === 'ask' && <Proofs step={step} onChange={onChange} />}
      {step.do === 'propose' && <Proposal step={step} onChange={onChange} />}
      <WholeStep step={step} onChange={onChange} />
    </Stack>
  );
}

function Kinds(props: { label: string; value: readonly EntityKind[]; onChange: (kinds: EntityKind[]) => void }) {
  const { label, value, onChange } = props;
  return (
    <MultiSelect
      label={label}
      data={[...ENTITY_KINDS]}
      value={[...value]}
      error={value.length === 0 ? 'Select at least one' : undefined}
      onChange={(chosen) => onChange(ENTITY_KINDS.filter((kind) => chosen.includes(kind)))}
    />
  );
}

function Subjects({ step, onChange }: StepProps<AskStep | ProposeStep>) {
  const { each } = step;
  return (
    <Group grow align="flex-start">
      {each.of === 'entity' ? (
        <Select
          label="For each"
          data={[...ENTITY_KINDS]}
          value={each.kind}
          allowDeselect={false}
          onChange={(kind) => onChange({ ...step, each: { ...each, kind: ENTITY_KINDS.find((known) => known === kind) ?? each.kind } })}
        />
      ) : (
        <TextInput
          label={`For each value in the answer of ${each.step}`}
          value={each.path}
          onChange={({ currentTarget }) => onChange({ ...step, each: { ...each, path: currentTarget.value } })}
        />
      )}
      <NumberInput
        label="At most"
        min={1}
        max={20}
        value={each.atMost}
        onChange={(atMost) => onChange({ ...step, each: { ...each, atMost: Number(atMost) } })}
      />
    </Group>
  );
}

function Proofs({ step, onChange }: StepProps<AskStep>) {
  const { proves } = step;
  if (proves.length === 0) return null;
  return (
    <Fieldset legend="How an answer affects the score (the first match counts)">
      <Stack gap="xs">
        {proves.map((proof, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: proofs have no id, and their order is their meaning.
          <Group key={index} wrap="nowrap" align="flex-end">
            <NumberInput
              label={`Points ${index + 1}`}
              w={110}
              min={-100}
              max={100}
              value={proof.points}
              onChange={(points) => onChange({ ...step, proves: proves.with(index, { ...proof, points: Number(points) }) })}
            />
            <TextInput
              label={`Finding ${index + 1}`}
              style={{ flex: 1 }}
              value={proof.says}
              onChange={({ currentTarget }) => onChange({ ...step, proves: proves.with(index, { ...proof, says: currentTarget.value }) })}
            />
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={`Remove finding ${index + 1}`}
              onClick={() => onChange({ ...step, proves: proves.toSpliced(index, 1) })}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        ))}
      </Stack>
    </Fieldset>
  );
}

function Proposal({ step, onChange }: StepProps<ProposeStep>) {
  const { releaseAfterHours, ...lasting } = step;
  return (
    <Group grow align="flex-start">
      <Select
        label="Propose from the verdict"
        data={[
          { value: 'suspicious', label: 'Suspicious or worse' },
          { value: 'malicious', label: 'Malicious' },
        ]}
        value={step.from}
        allowDeselect={false}
        onChange={(from) => onChange({ ...step, from: from === 'malicious' ? 'malicious' : 'suspicious' })}
      />
      <NumberInput
        label="Undo after hours"
        description="Leave blank to keep it in place"
        min={1}
        max={720}
        value={releaseAfterHours ?? ''}
        onChange={(hours) => onChange(hours === '' ? lasting : { ...step, releaseAfterHours: Number(hours) })}
      />
    </Group>
  );
}

/** Conditions and input fields have no form of their own. */
function WholeStep({ step, onChange }: StepProps<PlanStep>) {
  const [draft, setDraft] = useState<{ text: string; problem: string } | null>(null);
  return (
    <JsonInput
      label="All step fields"
      autosize
      minRows={3}
      maxRows={20}
      value={draft?.text ?? JSON.stringify(step, null, 2)}
      error={draft?.problem}
      onChange={(text) => {
        const read = readStep(text);
        setDraft('problem' in read ? { text, ...read } : null);
        if ('step' in read) onChange(read.step);
      }}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
    />
  );
}

function readStep(text: string): { step: PlanStep } | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'Enter valid JSON' };
  }
  const read = PlanStep.safeParse(value);
  if (read.success) return { step: read.data };
  const [issue] = read.error.issues;
  return { problem: issue ? `${issue.path.join('.')}: ${issue.message}` : 'Enter a step' };
}
