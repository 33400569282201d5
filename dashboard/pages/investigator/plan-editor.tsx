import { Button, Group, JsonInput, SegmentedControl, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { Plan } from '../../../domain/playbook/playbook.js';
import type { PlanVersion } from '../../../services/playbooks/wire.js';
import { ErrorState } from '../../components/states.js';
import { savePlan, tryPlan } from '../../queries/playbooks.js';
import { PlanReview } from './plan-review.js';
import { type PlanEdit, PlanSteps } from './plan-steps.js';

/** Edits a plan step by step or as JSON. The API validates it and saves it as the next version. */
export function PlanEditor({ shown }: { shown: PlanVersion }) {
  const [mode, setMode] = useState('form');
  const [plan, setPlan] = useState<Plan>(shown.plan);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const navigate = useNavigate({ from: '/investigators/$playbookId' });
  const edited = { made_from: shown.version, plan };
  const review = useMutation(tryPlan(shown.playbook_id));
  const save = useMutation({
    ...savePlan(shown.playbook_id),
    onSuccess({ version }) {
      notifications.show({ message: `Saved version ${version}.`, color: 'teal' });
      return navigate({ search: { version, tab: 'steps' } });
    },
  });
  const { reset: resetReview } = review;
  const { reset: resetSave } = save;
  const edit = useCallback(
    (change: PlanEdit) => {
      setPlan(({ steps }) => ({ steps: [...change(steps)] }));
      resetReview();
      resetSave();
    },
    [resetReview, resetSave],
  );
  const change = (next: string) => {
    if (next === 'json') setText(JSON.stringify(plan, null, 2));
    setMode(next);
  };
  const takeText = (changed: string) => {
    setText(changed);
    const read = readPlan(changed);
    setProblem('problem' in read ? read.problem : null);
    if ('plan' in read) edit(() => read.plan.steps);
  };
  return (
    <Stack>
      <Group justify="space-between">
        <SegmentedControl
          aria-label="Edit as"
          data={[
            { value: 'form', label: 'Form' },
            { value: 'json', label: 'JSON' },
          ]}
          value={mode}
          disabled={problem !== null}
          onChange={change}
        />
        <Text size="sm">Steps refer to kinds of entities, never to the values of one alert.</Text>
      </Group>
      {mode === 'form' ? (
        <PlanSteps plan={plan} onEdit={edit} />
      ) : (
        <PlanJson text={text} onChange={takeText} error={problem ?? undefined} />
      )}
      <PlanReview before={shown.plan} after={plan} version={shown.version} effect={review.data?.effect} />
      {review.error && <ErrorState error={review.error} />}
      {save.error && <ErrorState error={save.error} />}
      <Group justify="flex-end">
        <Button variant="default" disabled={problem !== null} loading={review.isPending} onClick={() => review.mutate(edited)}>
          Try on past alerts
        </Button>
        <Button disabled={problem !== null} loading={save.isPending} onClick={() => save.mutate(edited)}>
          Save as new version
        </Button>
      </Group>
    </Stack>
  );
}

/** The whole plan as text. Without `onChange` it is read-only. */
export function PlanJson({ text, onChange, error }: { text: string; onChange?: (text: string) => void; error?: string | undefined }) {
  return (
    <JsonInput
      label="Plan"
      description="The service runs reads and proposes writes to a person."
      value={text}
      readOnly={onChange === undefined}
      {...(onChange === undefined ? {} : { onChange })}
      error={error}
      autosize
      minRows={14}
      maxRows={40}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
    />
  );
}

function readPlan(text: string): { plan: Plan } | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'Enter valid JSON' };
  }
  const read = Plan.safeParse(value);
  if (read.success) return { plan: read.data };
  const [issue] = read.error.issues;
  return { problem: issue ? `${issue.path.join('.')}: ${issue.message}` : 'Enter a plan' };
}
