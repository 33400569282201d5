import { Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Keyring } from '../../platform/keyring.js';
import { WorkflowRunner } from '../../services/workflow-runner.js';

describe('a Temporal server without the configured namespace', () => {
  let connection: Connection;
  let runner: WorkflowRunner;
  beforeAll(() => {
    connection = Connection.lazy({ address: inject('temporalAddress') });
    runner = new WorkflowRunner(
      connection,
      { TEMPORAL_NAMESPACE: 'nobody-made-it', TEMPORAL_TASK_QUEUE: 'x', TEMPORAL_PAYLOAD_ENCRYPTION: false },
      new Keyring(() => [Buffer.alloc(32).toString('base64')]),
    );
  });
  afterAll(() => connection.close());

  it('does not fail a signal or a replacement, because the database has the change', async () => {
    await expect(runner.signal(['proposal-1', 'proposal-2'], 'proposalChanged')).resolves.toBeUndefined();
    await expect(runner.replace('proposal', { workflowId: 'proposal-1', args: [] })).resolves.toBeUndefined();
  });

  it('says when to try again for a run that waits for its result', async () => {
    const asked = runner.run({ type: 'runSkill', workflowId: 'skill-1', input: {}, summary: 'x', waitMs: 1000 });
    await expect(asked).rejects.toMatchObject({ refusal: 'unavailable', retryAfterSeconds: 5 });
  });
});
