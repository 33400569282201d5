import { Button, Group, JsonInput, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { PlanVersion } from '../../../domain/playbook/playbook.js';
import { ApiProblem, api, toBody, unwrap } from '../../api.js';
import { ErrorState } from '../../components/states.js';

/** Edits a plan as JSON. The API validates it and saves it as the next version. */
export function PlanEditor({ shown, isEditable }: { shown: PlanVersion; isEditable: boolean }) {
  const [text, setText] = useState(() => JSON.stringify(shown.plan, null, 2));
  const queryClient = useQueryClient();
  const navigate = useNavigate({ from: '/investigators/$playbookId' });
  const save = useMutation({
    mutationFn: async () =>
      unwrap(
        api.PUT('/playbooks/{playbook_id}/plan', {
          params: { path: { playbook_id: shown.playbook_id } },
          body: toBody({ made_from: shown.version, plan: parsePlan(text) }),
        }),
      ),
    async onSuccess({ version }) {
      notifications.show({ message: `Saved version ${version}.`, color: 'teal' });
      await queryClient.invalidateQueries({ queryKey: ['playbooks'] });
      await navigate({ search: { version: String(version), tab: 'steps' } });
    },
  });
  const invalidFields = save.error instanceof ApiProblem ? [...save.error.fields] : [];
  return (
    <Stack>
      <JsonInput
        label="Plan"
        description="Steps refer to kinds of entities, never to the values of one alert. The service runs reads and proposes writes to a person."
        value={text}
        onChange={setText}
        readOnly={!isEditable}
        validationError="Enter valid JSON"
        formatOnBlur
        autosize
        minRows={14}
        maxRows={40}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
      />
      {save.error && <ErrorState error={save.error} />}
      {invalidFields.map(([pointer, detail]) => (
        <Text key={`${pointer} ${detail}`} size="sm" c="red" className="breakable">
          {pointer}: {detail}
        </Text>
      ))}
      {isEditable && (
        <Group justify="flex-end">
          <Button loading={save.isPending} onClick={() => save.mutate()}>
            Save as new version
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function parsePlan(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('Enter valid JSON');
  }
}
