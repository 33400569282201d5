import { Button, Group, JsonInput, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { PlanVersion } from '../../../domain/playbook/playbook.js';
import { ApiProblem, api } from '../../api.js';
import { ErrorState } from '../../components/states.js';

/** A plan is data: it is edited as such, checked by the API, and saved as the next version. */
export function PlanEditor({ shown, isEditable }: { shown: PlanVersion; isEditable: boolean }) {
  const [text, setText] = useState(() => JSON.stringify(shown.plan, null, 2));
  const queryClient = useQueryClient();
  const navigate = useNavigate({ from: '/investigators/$playbookId' });
  const save = useMutation({
    mutationFn: () => api.put<PlanVersion>(`/playbooks/${shown.playbook_id}/plan`, { made_from: shown.version, plan: parsed(text) }),
    async onSuccess({ version }) {
      notifications.show({ message: `Version ${version} is saved.`, color: 'teal' });
      await queryClient.invalidateQueries({ queryKey: ['playbooks'] });
      await navigate({ search: { version: String(version), tab: 'steps' } });
    },
  });
  const wrong = save.error instanceof ApiProblem ? [...save.error.fields] : [];
  return (
    <Stack>
      <JsonInput
        label="Plan"
        description="Steps speak of kinds of entities, never of one alert’s values. Only reads run by themselves; a write is proposed to a person."
        value={text}
        onChange={setText}
        readOnly={!isEditable}
        validationError="This is not JSON."
        formatOnBlur
        autosize
        minRows={14}
        maxRows={40}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
      />
      {save.error && <ErrorState error={save.error} />}
      {wrong.map(([pointer, detail]) => (
        <Text key={`${pointer} ${detail}`} size="sm" c="red" className="breakable">
          {pointer}: {detail}
        </Text>
      ))}
      {isEditable && (
        <Group justify="flex-end">
          <Button loading={save.isPending} onClick={() => save.mutate()}>
            Save as a new version
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('The plan is not JSON.');
  }
}
