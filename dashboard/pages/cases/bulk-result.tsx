import { Alert, Button, Group, List, Progress, Stack, Text } from '@mantine/core';
import { type BulkRun, toUndo } from './use-bulk.js';

const REFUSALS_SHOWN = 10;

/** The progress of an action on many cases, then its result for each case that was refused. */
export function BulkResult({ run, onUndo, onDismiss }: { run: BulkRun; onUndo: () => void; onDismiss: () => void }) {
  const { title, total, results, isRunning, error } = run;
  const changed = results.filter(({ is_changed }) => is_changed).length;
  const refused = results.filter(({ problem }) => problem !== null);
  const undoable = toUndo(results).length;
  if (isRunning)
    return (
      <Stack gap={4} role="status">
        <Text size="sm">
          {title}: {results.length} of {total} cases
        </Text>
        <Progress value={(100 * results.length) / total} aria-label={title} />
      </Stack>
    );
  return (
    <Alert color={error !== null || refused.length > 0 ? 'yellow' : 'teal'} variant="light" role="status" py="xs">
      <Group justify="space-between" align="flex-start" gap="xs">
        <Stack gap={4}>
          <Text size="sm" fw={600}>
            {title}: {changed} of {total} {total === 1 ? 'case' : 'cases'} changed
          </Text>
          {error !== null && <Text size="sm">{error.message}</Text>}
          {refused.length > 0 && (
            <List size="sm">
              {refused.slice(0, REFUSALS_SHOWN).map(({ case_id, problem }) => (
                <List.Item key={case_id}>
                  {case_id}: {problem}
                </List.Item>
              ))}
              {refused.length > REFUSALS_SHOWN && <List.Item>and {refused.length - REFUSALS_SHOWN} more</List.Item>}
            </List>
          )}
        </Stack>
        <Group gap="xs">
          {undoable > 0 && (
            <Button size="xs" variant="default" onClick={onUndo}>
              Undo
            </Button>
          )}
          <Button size="xs" variant="subtle" onClick={onDismiss}>
            Dismiss
          </Button>
        </Group>
      </Group>
    </Alert>
  );
}
