import { Alert, Text } from '@mantine/core';
import type { Waiting } from '../../domain/connection/connection.js';
import { Time } from './time.js';

/** What an investigation cannot go on without. */
export function WaitsFor({ waiting }: { waiting: Waiting }) {
  return (
    <Alert color="yellow" variant="light" title={`Waits for ${waiting.remote_agent?.name ?? waiting.instance_name}`}>
      <Text size="sm" className="breakable">
        {waiting.skill_id}: {waiting.reason}
      </Text>
      <Text size="sm">
        Since <Time at={waiting.since} />
        {waiting.until !== null && (
          <>
            , at most until <Time at={waiting.until} />
          </>
        )}
        . It goes on by itself as soon as {waiting.remote_agent === null ? 'the connection works again' : 'the agent comes for it'}.
      </Text>
    </Alert>
  );
}
