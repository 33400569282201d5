import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { Connection } from '../../../services/connections/wire.js';
import type { SkillOutcome, SkillRun } from '../../../services/skill-runs/wire.js';
import { Dialog } from '../../components/dialog.js';
import { JsonView } from '../../components/json-view.js';
import { ErrorState } from '../../components/states.js';
import { formatDuration, Time } from '../../components/time.js';
import { decideRun, skillRunQuery } from '../../queries/proposals.js';
import { useSession } from '../../session.js';

export function Outcome({ outcome }: { outcome: SkillOutcome }) {
  const { output, truncated, attempts, duration_ms } = outcome;
  return (
    <Stack gap="xs">
      <Alert color="teal" variant="light" role="status">
        <Text size="sm">
          Completed in {formatDuration(duration_ms / 1000)}, {attempts === 1 ? '1 attempt' : `${attempts} attempts`}.
          {truncated && ' The response is larger than 1 MiB and is truncated.'}
        </Text>
      </Alert>
      <JsonView value={output} label="Response" />
    </Stack>
  );
}

/** Follows a run until it ends; a second approver can approve it here. */
export function SkillRunDialog({
  runId,
  connections,
  onClose,
}: {
  runId: string;
  connections: readonly Connection[];
  onClose: () => void;
}) {
  const { data, error, refetch } = useQuery(skillRunQuery(runId));
  const connection = connections.find(({ connection_id }) => connection_id === data?.connection_id);
  return (
    <Dialog onClose={onClose} title={data?.skill_id ?? 'Skill run'} size="xl">
      <Stack>
        {error && <ErrorState error={error} retry={refetch} />}
        {data && (
          <Text size="sm">
            Requested by {data.asked_by}, <Time at={data.asked_at} />
            {data.decided_by !== null && `; decided by ${data.decided_by}`}
            {connection && `. Connection: ${connection.instance_name} (${connection.organization_code}).`}
          </Text>
        )}
        {data && <JsonView value={data.input} label="Input" />}
        {data && <RunState run={data} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function RunState({ run }: { run: SkillRun }) {
  switch (run.state) {
    case 'proposed':
      return <Decision run={run} />;
    case 'running':
      return run.problem ? <OnHold run={run} reason={run.problem.message} /> : <Running />;
    case 'done':
      return run.outcome && <Outcome outcome={run.outcome} />;
    case 'failed':
      return (
        <Alert color="red" variant="light" title="The run failed" role="alert">
          <Text size="sm" className="breakable">
            {run.problem?.message} {run.problem?.resolution}
          </Text>
        </Alert>
      );
    case 'refused':
      return (
        <Alert color="gray" variant="light" title="Refused">
          {run.problem?.message}
        </Alert>
      );
  }
}

function Running() {
  return (
    <Group gap="sm" role="status">
      <Loader size="sm" />
      <Text size="sm">The run is in progress. You can close this page: the run continues.</Text>
    </Group>
  );
}

/** Because of the stop switch, or of the hourly limit of changes. */
function OnHold({ run, reason }: { run: SkillRun; reason: string }) {
  const decide = useMutation(decideRun(run.run_id));
  return (
    <Stack gap="sm">
      <Alert color="yellow" variant="light" title="On hold" role="status">
        <Text size="sm" className="breakable">
          {reason}
        </Text>
        <Text size="sm">The service sends it when the rules under Settings, Response allow it.</Text>
      </Alert>
      {decide.error && <ErrorState error={decide.error} />}
      <Group justify="flex-end">
        <Button variant="default" loading={decide.isPending} onClick={() => decide.mutate(false)}>
          Withdraw
        </Button>
      </Group>
    </Stack>
  );
}

function Decision({ run }: { run: SkillRun }) {
  const { name, approvals_not_counted: notCounted } = useSession();
  const decide = useMutation(decideRun(run.run_id));
  return (
    <Stack gap="sm">
      <Alert color="yellow" variant="light" title="Needs a second approver" role="status">
        {run.problem && (
          <Text size="sm" className="breakable">
            {run.problem.message}
          </Text>
        )}
        <Text size="sm">
          {run.asked_by === name
            ? 'Send the address of this page to a person who can approve the run.'
            : (notCounted ?? 'When you approve it, the service makes the change at the third party.')}
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
