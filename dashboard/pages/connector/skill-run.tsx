import { Alert, Button, Group, Loader, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Connection, SkillOutcome, SkillRun } from '../../../domain/connection/connection.js';
import { api } from '../../api.js';
import { JsonView } from '../../components/json-view.js';
import { ErrorState } from '../../components/states.js';
import { duration, Time } from '../../components/time.js';
import { useSession } from '../../session.js';

const POLL_MS = 1_500;

/** What came of it, and how long it took. */
export function Outcome({ outcome }: { outcome: SkillOutcome }) {
  const { output, truncated, attempts, duration_ms } = outcome;
  return (
    <Stack gap="xs">
      <Alert color="teal" variant="light" role="status">
        <Text size="sm">
          Done in {duration(duration_ms / 1000)}, {attempts === 1 ? 'at the first attempt' : `after ${attempts} attempts`}.
          {truncated && ' The answer is larger than 1 MiB: this is a part of it.'}
        </Text>
      </Alert>
      <JsonView value={output} label="Answer" />
    </Stack>
  );
}

/** A run that had not ended when it was asked for: followed to its end, and decided on where it waits for somebody. */
export function SkillRunDialog({
  runId,
  connections,
  onClose,
}: {
  runId: string;
  connections: readonly Connection[];
  onClose: () => void;
}) {
  const { data, error, refetch } = useQuery({
    queryKey: ['proposals', 'skill-run', runId],
    queryFn: () => api.get<SkillRun>(`/skill-runs/${runId}`),
    refetchInterval: ({ state: { data: run } }) => (run?.state === 'running' || run?.state === 'proposed' ? POLL_MS : false),
  });
  const connection = connections.find(({ connection_id }) => connection_id === data?.connection_id);
  return (
    <Modal opened onClose={onClose} title={data?.skill_id ?? 'Run of a skill'} size="xl">
      <Stack>
        {error && <ErrorState error={error} again={refetch} />}
        {data && (
          <Text size="sm">
            Asked for by {data.asked_by}, <Time at={data.asked_at} />
            {data.decided_by !== null && `; decided by ${data.decided_by}`}
            {connection && `. Through ${connection.instance_name} of ${connection.organization_code}.`}
          </Text>
        )}
        {data && <JsonView value={data.input} label="With this input" />}
        {data && <RunState run={data} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function RunState({ run }: { run: SkillRun }) {
  switch (run.state) {
    case 'proposed':
      return <Decision run={run} />;
    case 'running':
      return run.problem ? <Held because={run.problem.message} /> : <Running />;
    case 'done':
      return run.outcome && <Outcome outcome={run.outcome} />;
    case 'failed':
      return (
        <Alert color="red" variant="light" title="This did not work" role="alert">
          <Text size="sm" className="breakable">
            {run.problem?.message} {run.problem?.resolution}
          </Text>
        </Alert>
      );
    case 'refused':
      return <Alert color="gray" variant="light" title="It was refused" />;
  }
}

function Running() {
  return (
    <Group gap="sm" role="status">
      <Loader size="sm" />
      <Text size="sm">It has not ended yet. This page can be closed: it goes on by itself.</Text>
    </Group>
  );
}

/** By the stop switch, or by the limit of changes within an hour. */
function Held({ because }: { because: string }) {
  return (
    <Alert color="yellow" variant="light" title="It is held" role="status">
      <Text size="sm" className="breakable">
        {because}
      </Text>
      <Text size="sm">It is sent as soon as the rules under Settings, Response leave room for it.</Text>
    </Alert>
  );
}

/** Whoever asked for it sends the address of this page to somebody else. */
function Decision({ run }: { run: SkillRun }) {
  const { name } = useSession();
  const queryClient = useQueryClient();
  const decide = useMutation({
    mutationFn: (approve: boolean) => api.post<SkillRun>(`/skill-runs/${run.run_id}/decision`, { approve }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['proposals'] }),
  });
  return (
    <Stack gap="sm">
      <Alert color="yellow" variant="light" title="It waits for a second person" role="status">
        {run.problem && (
          <Text size="sm" className="breakable">
            {run.problem.message}
          </Text>
        )}
        <Text size="sm">
          {run.asked_by === name
            ? 'Send the address of this page to somebody who may approve it. It is sent to the third party when they have said yes.'
            : 'It changes something at the third party as soon as you approve it.'}
        </Text>
      </Alert>
      {decide.error && <ErrorState error={decide.error} />}
      {run.asked_by !== name && (
        <Group justify="flex-end">
          <Button variant="default" loading={decide.isPending} onClick={() => decide.mutate(false)}>
            Refuse
          </Button>
          <Button color="red" loading={decide.isPending} onClick={() => decide.mutate(true)}>
            Approve and send
          </Button>
        </Group>
      )}
    </Stack>
  );
}
