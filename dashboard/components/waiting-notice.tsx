import { Alert, Text } from '@mantine/core';
import type { Waiting } from '../../domain/connection/connection.js';
import { Time } from './time.js';

export function WaitingNotice({ waiting }: { waiting: Waiting }) {
  return (
    <Alert color="yellow" variant="light" title={`Waiting for ${waiting.remote_agent?.name ?? waiting.instance_name}`}>
      <Text size="sm" className="breakable">
        {waiting.skill_id}: {waiting.reason}
      </Text>
      <Text size="sm">
        Since <Time at={waiting.since} />
        {waiting.until !== null && (
          <>
            , until <Time at={waiting.until} />
          </>
        )}
        . It continues when {waiting.remote_agent === null ? 'the connection works again' : 'the agent connects'}.
      </Text>
    </Alert>
  );
}
