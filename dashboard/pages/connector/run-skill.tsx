import { Alert, Modal, Select, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Connection, SkillOutcome, SkillRun } from '../../../domain/connection/connection.js';
import type { ConnectorSkill } from '../../../domain/connection/connector.js';
import { api } from '../../api.js';
import { Confirm } from '../../components/confirm.js';
import { JsonView } from '../../components/json-view.js';
import { listFields } from '../../components/schema.js';
import { SchemaForm } from '../../components/schema-form.js';
import { Outcome } from './skill-run.js';

/** A skill's form and, below it, what the third party answered. */
export function RunSkill(props: {
  skill: ConnectorSkill;
  connections: readonly Connection[];
  connectionId: string | undefined;
  onClose: () => void;
}) {
  const { skill, connections, onClose } = props;
  const navigate = useNavigate({ from: '/integrations/$connector' });
  const given = connections.find(({ connection_id }) => connection_id === props.connectionId);
  const [connection, setConnection] = useState(given ?? connections.find(({ is_default }) => is_default) ?? connections[0]);
  const [asking, setAsking] = useState<Record<string, unknown> | null>(null);
  const isWrite = skill.effect === 'write';
  const run = useMutation({
    mutationFn: (input: Record<string, unknown>) =>
      api.post<SkillOutcome | SkillRun>(`/connections/${connection?.connection_id}/skills/${skill.slug}`, {
        input,
        ...(isWrite ? { confirm: true } : {}),
      }),
    // What has not ended yet is followed under an address of its own, which a second person can be sent.
    onSuccess: (reply) =>
      'run_id' in reply ? navigate({ search: (now) => ({ ...now, skill: undefined, run: reply.run_id }), replace: true }) : undefined,
  });
  const options = connections.map(({ connection_id, instance_name, organization_code, state }) => ({
    value: connection_id,
    label: `${instance_name} (${organization_code}${state === 'working' ? '' : `, ${state}`})`,
  }));
  return (
    <>
      <Modal opened={asking === null} keepMounted onClose={onClose} title={skill.skill_id} size="xl">
        <Stack>
          <Text size="sm">{skill.purpose}</Text>
          <SchemaForm
            fields={listFields(skill.input)}
            pointer="#/input"
            action={isWrite ? 'Go on' : 'Run'}
            isBusy={run.isPending}
            error={run.error}
            onSubmit={(input) => (isWrite ? setAsking(input) : run.mutate(input))}
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
      </Modal>
      <Confirm
        opened={asking !== null}
        title={`${skill.skill_id}?`}
        action={skill.skill_id}
        onConfirm={async () => run.mutate(asking ?? {})}
        onClose={() => setAsking(null)}
      >
        <Text size="sm">
          This changes something at the third party, through {connection?.instance_name} of {connection?.organization_code}: {skill.purpose}
        </Text>
        {connection?.needs_second_person ? (
          <Alert variant="light" color="yellow">
            <Text size="sm">A second person has to approve it: it is proposed now, and sent when somebody else has said yes.</Text>
          </Alert>
        ) : (
          <Text size="sm">Where it touches something protected, a second person has to approve it first.</Text>
        )}
        <JsonView value={asking} label="With this input" />
      </Confirm>
    </>
  );
}
