import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Connection, ConnectorSkill } from '../../../services/connections/wire.js';
import { Dialog } from '../../components/dialog.js';
import { JsonView } from '../../components/json-view.js';
import { listFields } from '../../components/schema.js';
import { SchemaForm } from '../../components/schema-form.js';
import { runSkill } from '../../queries/connections.js';
import { Outcome } from './skill-run.js';

export function RunSkill(props: {
  skill: ConnectorSkill;
  connections: readonly Connection[];
  connectionId: string | undefined;
  initial: Readonly<Record<string, string>>;
  onClose: () => void;
}) {
  const { skill, connections, initial, onClose } = props;
  const navigate = useNavigate({ from: '/integrations/$connector' });
  const given = connections.find(({ connection_id }) => connection_id === props.connectionId);
  const [connection, setConnection] = useState(given ?? connections.find(({ is_default }) => is_default) ?? connections[0]);
  const [confirming, setConfirming] = useState<Record<string, unknown> | null>(null);
  const isWrite = skill.effect === 'write';
  const run = useMutation({
    ...runSkill(connection?.connection_id ?? '', skill.slug),
    // An unfinished run has its own address, which can be sent to a second approver.
    onSuccess: (reply) =>
      'run_id' in reply
        ? navigate({ search: (now) => ({ ...now, skill: undefined, input: undefined, run: reply.run_id }), replace: true })
        : undefined,
  });
  const options = connections.map(({ connection_id, instance_name, organization_code, state }) => ({
    value: connection_id,
    label: `${instance_name} (${organization_code}${state === 'working' ? '' : `, ${state}`})`,
  }));
  return (
    <>
      <Dialog opened={confirming === null} keepMounted onClose={onClose} title={skill.skill_id} size="xl">
        <Stack>
          <Text size="sm">{skill.purpose}</Text>
          <SchemaForm
            fields={listFields(skill.input)}
            initial={initial}
            pointer="#/input"
            action={isWrite ? 'Continue' : 'Run'}
            isBusy={run.isPending}
            error={run.error}
            onSubmit={(input) => (isWrite ? setConfirming(input) : run.mutate({ input }))}
            onCancel={onClose}
          >
            <Select
              label="Connection"
              data={options}
              value={connection?.connection_id ?? null}
              onChange={(id) => setConnection(connections.find(({ connection_id }) => connection_id === id))}
              allowDeselect={false}
            />
          </SchemaForm>
          {run.data && 'output' in run.data && !run.isPending && <Outcome outcome={run.data} />}
        </Stack>
      </Dialog>
      {confirming !== null && (
        <Dialog title="Confirm change" onClose={() => setConfirming(null)}>
          <Stack>
            <Text size="sm">
              {skill.skill_id} makes a change at the third party through {connection?.instance_name} ({connection?.organization_code}):{' '}
              {skill.purpose}
            </Text>
            {connection?.second_person_rule === 'always' ? (
              <Alert variant="light" color="yellow">
                <Text size="sm">A second approver must approve the run before the service sends it.</Text>
              </Alert>
            ) : (
              <Text size="sm">
                {connection?.second_person_rule === 'sensitive'
                  ? 'If it is sensitive or affects a protected asset, a second approver must approve it first.'
                  : 'If it affects a protected asset, a second approver must approve it first.'}
              </Text>
            )}
            <JsonView value={confirming} label="Input" />
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setConfirming(null)} data-autofocus>
                Cancel
              </Button>
              <Button
                color="red"
                onClick={() => {
                  setConfirming(null);
                  run.mutate({ input: confirming, confirm: true });
                }}
              >
                Run skill
              </Button>
            </Group>
          </Stack>
        </Dialog>
      )}
    </>
  );
}
