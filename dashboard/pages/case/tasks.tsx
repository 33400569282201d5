import { ActionIcon, Button, Checkbox, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { CaseTask } from '../../../services/case-tasks/wire.js';
import { EmptyState, ErrorState } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { addTasks, completeTask, deleteTask, tasksQuery } from '../../queries/cases.js';

/** What people still have to do for the case. */
export function Tasks({ caseId }: { caseId: string }) {
  const { data, error, refetch } = useQuery(tasksQuery(caseId));
  const form = useForm({ initialValues: { title: '' } });
  const add = useMutation(addTasks(caseId));
  // The form accepts a task while the suggested ones are being added.
  const addSuggested = useMutation(addTasks(caseId));
  if (error) return <ErrorState error={error} retry={refetch} />;
  if (!data) return <Skeleton height={80} role="status" aria-label="Loading" />;
  const submit = ({ title }: { title: string }) => add.mutate([title.trim()], { onSuccess: form.reset });
  return (
    <Stack gap="sm">
      {data.suggested.length > 0 && (
        <Group justify="space-between">
          <Text size="sm" className="breakable" style={{ flex: 1 }}>
            The template for this alert type suggests: {data.suggested.join('; ')}
          </Text>
          <Button size="xs" variant="default" loading={addSuggested.isPending} onClick={() => addSuggested.mutate(data.suggested)}>
            Add {data.suggested.length} suggested {data.suggested.length === 1 ? 'task' : 'tasks'}
          </Button>
        </Group>
      )}
      {data.items.length === 0 && <EmptyState title="No tasks yet" />}
      {data.items.map((task) => (
        <Task key={task.task_id} caseId={caseId} task={task} />
      ))}
      {[add.error, addSuggested.error].map((failed) => failed && <ErrorState key={failed.message} error={failed} />)}
      <form onSubmit={form.onSubmit(submit)}>
        <Group align="flex-end" gap="xs" wrap="nowrap">
          <TextInput label="New task" maxLength={200} {...form.getInputProps('title')} style={{ flex: 1 }} />
          <Button type="submit" size="sm" variant="default" disabled={form.values.title.trim() === ''} loading={add.isPending}>
            Add task
          </Button>
        </Group>
      </form>
    </Stack>
  );
}

function Task({ caseId, task }: { caseId: string; task: CaseTask }) {
  const change = useMutation(completeTask(caseId, task.task_id));
  const remove = useMutation(deleteTask(caseId, task.task_id));
  const failure = change.error ?? remove.error;
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Checkbox
          checked={change.isPending ? (change.variables ?? false) : task.done_at !== null}
          onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
          label={<span className="breakable">{task.title}</span>}
          description={
            task.done_at === null ? (
              <>Added by {task.created_by}</>
            ) : (
              <>
                Done by {task.done_by}, <Time at={task.done_at} size="xs" />
              </>
            )
          }
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          loading={remove.isPending}
          onClick={() => remove.mutate()}
          aria-label={`Delete task: ${task.title}`}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Group>
      {failure && <ErrorState error={failure} />}
    </div>
  );
}
